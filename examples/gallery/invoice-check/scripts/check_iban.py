"""Says whether an IBAN's check digits agree: python3 check_iban.py "GB82 WEST 1234 5698 7654 32"

Letters count 10 to 35, the first four characters go to the end, and the number that this gives
leaves 1 when it is divided by 97 (ISO 13616). Ends with 0 where they agree, otherwise with 1.
"""

import re
import sys


def agrees(iban):
    """True if the text has the form of an IBAN and its check digits agree."""
    plain = re.sub(r"\s", "", iban).upper()
    if not re.fullmatch(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}", plain):
        return False
    return int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: check_iban.py IBAN")
    good = agrees("".join(sys.argv[1:]))
    print("The check digits agree." if good else "The check digits do not agree.")
    sys.exit(0 if good else 1)

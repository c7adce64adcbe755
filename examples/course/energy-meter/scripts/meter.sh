#!/bin/sh
# Usage: meter.sh <first> <second> <days> [price]
if [ "$#" -lt 3 ] || [ "$#" -gt 4 ]; then
  echo "usage: meter.sh <first> <second> <days> [price]" >&2
  exit 2
fi
for number in "$@"; do
  case $number in
    '' | . | *[!0-9.]* | *.*.*)
      echo "usage: meter.sh <first> <second> <days> [price] ($number is no number)" >&2
      exit 2
      ;;
  esac
done
LC_ALL=C awk -v first="$1" -v second="$2" -v days="$3" -v price="${4:-}" 'BEGIN {
  if (days + 0 == 0) { print "the number of days is 0" > "/dev/stderr"; exit 2 }
  used = second - first
  if (used < 0) { print "the second reading is below the first; see Traps in SKILL.md" > "/dev/stderr"; exit 1 }
  printf "used: %.1f in %d days, %.2f a day\n", used, days, used / days
  printf "forecast: %.0f a year\n", used / days * 365
  if (price != "") printf "cost: %.2f in %d days, %.2f a year\n", used * price, days, used / days * 365 * price
}'

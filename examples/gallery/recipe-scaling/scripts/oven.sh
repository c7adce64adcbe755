#!/bin/sh
# Says an oven setting in three scales: sh oven.sh 180C | 350F | gas4
set -eu

usage() {
    echo 'usage: oven.sh SETTING (180C, 350F or gas4)' >&2
    exit 2
}

digits() {
    case $1 in '' | *[!0-9]* | 0?* | ????*) usage ;; esac
}

[ $# -eq 1 ] || usage
case $1 in
    *[Cc]) amount=${1%?}; digits "$amount"; celsius=$amount ;;
    *[Ff]) amount=${1%?}; digits "$amount"; celsius=$(( ((amount - 32) * 50 / 9 + 5) / 10 )) ;;
    gas*) amount=${1#gas}; digits "$amount"; celsius=$(( 121 + amount * 14 )) ;;
    *) usage ;;
esac

# Gas mark 1 is 275 °F, and each mark adds 25 °F, about 14 °C.
fahrenheit=$(( ((celsius * 90 / 5 + 320) + 5) / 10 ))
mark=$(( (celsius - 121 + 7) / 14 ))
if [ "$celsius" -lt 128 ]; then
    gas='below gas mark 1'
elif [ "$mark" -gt 10 ]; then
    gas='above gas mark 10'
else
    gas="gas mark $mark"
fi
printf '%s °C (fan oven %s °C), %s °F, %s\n' "$celsius" "$((celsius - 20))" "$fahrenheit" "$gas"

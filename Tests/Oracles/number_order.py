"""Answers lines of two numbers: how the first compares with the second, and the double of the first.

The answer is "<", "=" or ">", computed with exact fractions, and the bits of the nearest double in hexadecimal.
"""

import struct
import sys
from fractions import Fraction


def answer(left, right):
    first, second = Fraction(left), Fraction(right)
    order = "<" if first < second else ">" if first > second else "="
    return f"{order} {struct.pack('>d', float(left)).hex()}"


for line in open(sys.argv[1], encoding="ascii"):
    print(answer(*line.split()))

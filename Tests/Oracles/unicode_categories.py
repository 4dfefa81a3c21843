"""For each line with the first and last code point of a range, its general categories in one text."""

import sys
import unicodedata

with open(sys.argv[1]) as ranges:
    for line in ranges:
        first, last = map(int, line.split())
        print("".join(unicodedata.category(chr(point)) for point in range(first, last + 1)))

"""Prints a part of the JSON on standard input, for shell scripts.

    pick.py KEY...      the value that the keys and list indexes lead to

A text is printed as it is, anything else as compact JSON; what is not there is printed as
`(nothing)`, so that a comparison fails with something to read.
"""

import json
import sys


def pick(value, path):
    for key in path:
        try:
            value = value[int(key)] if isinstance(value, list) else value[key]
        except (IndexError, KeyError, TypeError, ValueError):
            return "(nothing)"
    return value


def main():
    try:
        value = pick(json.load(sys.stdin), sys.argv[1:])
    except ValueError:
        value = "(no JSON)"
    print(value if isinstance(value, str) else json.dumps(value, separators=(",", ":")))


main()

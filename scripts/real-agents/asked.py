"""Prints what the mock model server was asked, from its journal on standard input.

    asked.py WORD       one line for each request whose fixture has WORD in what it looks for

Requests that a program makes beside the conversation, such as for a title, offer no tools to the
model, and are left out. Of long ones, such as Claude Code's, the journal does not keep the tools.
"""

import json
import sys


def main():
    for entry in json.load(sys.stdin):
        body = entry.get("body") or {}
        if not (body.get("tools") or body.get("__aimock_truncated")):
            continue
        fixture = entry["response"].get("fixture") or {}
        match = fixture.get("match", {})
        looked_for = match.get("userMessage") or match.get("systemMessage") or ""
        if sys.argv[1] in looked_for:
            print(looked_for)


main()

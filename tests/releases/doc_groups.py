# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the documentation group of every line of a header by the marks in its comments.

A comment that defines or continues a group may have an opening mark. A single comment may name its group. Nothing else is read.
"""
import re

COMMENT = re.compile(r"/\*[*!].*?\*/", re.S)
OPENING = re.compile(r"[\\@](?:defgroup|addtogroup)\s+(\w+)")
MEMBER = re.compile(r"[\\@]ingroup\s+(\w+)")


def marks(text):
    """Returns [(line, kind: "open", "close" or "member", group)] in the order of the text."""
    found, line, position = [], 1, 0
    for comment in COMMENT.finditer(text):
        line, position = line + text.count("\n", position, comment.end()), comment.end()
        group, body = OPENING.search(comment.group()), comment.group()
        if re.search(r"[\\@]\}", body):
            found.append((line, "close", ""))
        if group and re.search(r"[\\@]\{", body):
            found.append((line, "open", group.group(1)))
        elif member := MEMBER.search(body):
            found.append((line, "member", member.group(1)))
    return found


def group_of_lines(text, lines):
    """Returns {line: group or ""} for the lines on which declarations begin.

    The group is that of the innermost open mark. If no mark is open, it is the group that the comment above the declaration
    names. Such a comment applies only to the declaration that follows it.
    """
    found, opened, member, pending = {}, [], "", marks(text)
    for line in sorted(lines):
        while pending and pending[0][0] <= line:
            _, what, group = pending.pop(0)
            if what == "open":
                opened.append(group)
            elif what == "close":
                opened = opened[:-1]
            else:
                member = group
        found[line] = opened[-1] if opened else member
        member = ""
    return found

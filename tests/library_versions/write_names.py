# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Writes RELEASE(number) for every release, and NAME(name, since, removed, releases) for every name in api.json. `removed` is 0 if
the newest release has the name. Bit i of `releases` is set if the i-th release has it.

usage: write_names.py REPOSITORY LIBRARY OUTPUT
"""
import sys

import spec

REPOSITORY, LIBRARY, OUTPUT = sys.argv[1:]

library = spec.Spec(REPOSITORY, LIBRARY)
with open(OUTPUT, "w", encoding="utf-8") as file:
    file.writelines(f"RELEASE({spec.number(release)})\n" for release in library.releases)
    for name, entries in library.names().items():
        since = min(spec.number(each["since"]) for each in entries)
        ends = [spec.number(each["removed"]) for each in entries if "removed" in each]
        removed = max(ends) if len(ends) == len(entries) else 0
        file.write(f'NAME("{name}", {since}, {removed}, {library.bits(*entries):#x})\n')

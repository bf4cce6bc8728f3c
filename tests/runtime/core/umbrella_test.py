#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that <cubind/core.hpp> includes every header of the layer except those in detail/ and those that state LEFT_OUT, and that the
header of each topic, such as <cubind/core/memory.hpp>, includes every header in the folder of this topic.

usage: umbrella_test.py INCLUDE_DIR
"""

import pathlib
import re
import sys

LEFT_OUT = "<cubind/core.hpp> does not include this header"
WITHOUT_HEADER = {"lifetime", "testing"}  # topics of a single header

include = pathlib.Path(sys.argv[1])
problems = []


def compare(header, existing):
    named = set(re.findall(r"^#include <(.+)>$", (include / header).read_text(encoding="utf-8"), re.MULTILINE))
    if named != existing:
        problems.append(f"{header} lacks {sorted(existing - named)} and includes {sorted(named - existing)}, which do not exist or "
                        "state that they are left out")


topics = {each for each in (include / "cubind/core").iterdir() if any(each.glob("**/*.hpp"))}
headers = {topic: {str(each.relative_to(include)) for each in topic.glob("*.hpp")} for topic in topics}
compare("cubind/core.hpp", {each for topic in topics for each in headers[topic]
                            if LEFT_OUT not in (include / each).read_text(encoding="utf-8")} | {"cubind/check.hpp"})
for topic in sorted(topics):
    if topic.name in WITHOUT_HEADER:
        continue
    compare(f"cubind/core/{topic.name}.hpp", headers[topic])
if len(topics) < 9:
    problems.append(f"{len(topics)} topics were found")
sys.exit("\n".join(problems) or 0)

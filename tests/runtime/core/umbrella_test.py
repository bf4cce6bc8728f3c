#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that <cubind/core.hpp> includes every header of the layer except those in detail/ and those that state LEFT_OUT.

usage: umbrella_test.py INCLUDE_DIR
"""

import pathlib
import re
import sys

LEFT_OUT = "<cubind/core.hpp> does not include this header"

include = pathlib.Path(sys.argv[1])
named = set(re.findall(r"^#include <(.+)>$", (include / "cubind/core.hpp").read_text(encoding="utf-8"), re.MULTILINE))
existing = {f"cubind/core/{header.name}" for header in (include / "cubind/core").glob("*.hpp")
            if LEFT_OUT not in header.read_text(encoding="utf-8")} | {"cubind/check.hpp"}
if named != existing:
    sys.exit(f"cubind/core.hpp lacks {sorted(existing - named)} and includes {sorted(named - existing)}, which do not exist or state that they are left out")

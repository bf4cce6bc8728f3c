#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""<cubind/core.hpp> includes every header of the layer but those of detail: umbrella_test.py INCLUDE"""

import pathlib
import re
import sys

include = pathlib.Path(sys.argv[1])
named = set(re.findall(r"^#include <(.+)>$", (include / "cubind/core.hpp").read_text(encoding="utf-8"), re.MULTILINE))
there = {f"cubind/core/{header.name}" for header in (include / "cubind/core").glob("*.hpp")} | {"cubind/check.hpp"}
if named != there:
    sys.exit(f"cubind/core.hpp misses {sorted(there - named)} and names {sorted(named - there)}, which are not there")

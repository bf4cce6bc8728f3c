#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""search_test.py SITE: runs search_test.js with Node.js. The status is 77 without Node.js or without a site."""

import shutil
import subprocess
import sys
from pathlib import Path

site = Path(sys.argv[1])
if not (site / "search_index.js").is_file():
    print(f"{site} does not exist, because the test site_build was skipped")
    sys.exit(77)
node = shutil.which("node") or shutil.which("nodejs")
if not node:
    print("Node.js is not installed; scripts/install-packages docs installs it")
    sys.exit(77)
sys.exit(subprocess.run([node, Path(__file__).with_name("search_test.js"), site], check=False).returncode)

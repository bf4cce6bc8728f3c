# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Prints one line for each view of a library's headers: a name for targets, then the macros, separated by commas.

usage: vendor_views.py COMPILER INCLUDE_DIR REPOSITORY LIBRARY
"""
import sys

import vendor_headers

for macros in vendor_headers.views(*sys.argv[1:]):
    print(",".join((macros[-1].strip("_").lower() if macros else "plain", *macros)))

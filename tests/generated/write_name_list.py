# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Writes NAME(...) for every function name of a vendor header. coexistence_*.cpp include the file.

usage: write_name_list.py COMPILER INCLUDE_DIR LIBRARY OUTPUT
"""
import sys

import vendor_headers

compiler, include_dir, library, output = sys.argv[1:]
names = vendor_headers.public_names(compiler, include_dir, library)
with open(output, "w", encoding="utf-8") as file:
    file.writelines(f"NAME({name})\n" for name in names)

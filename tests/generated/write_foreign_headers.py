# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the replacements of headers of other software to FOLDER/foreign, and the lines that include all headers of a library to
FOLDER/LIBRARY_vendor_headers.inc.

usage: write_foreign_headers.py REPOSITORY FOLDER
"""
import pathlib
import shutil
import sys

import bound
import vendor_headers

REPOSITORY, FOLDER = sys.argv[1:]
shutil.rmtree(pathlib.Path(FOLDER, "foreign"), ignore_errors=True)
vendor_headers.write_foreign_headers(pathlib.Path(FOLDER, "foreign"), REPOSITORY)
for library in bound.libraries(REPOSITORY):
    headers = vendor_headers.included_headers(vendor_headers.settings(REPOSITORY, library))
    text = "".join(f"#include <{header}>\n" for header in headers)
    pathlib.Path(FOLDER, f"{library}_vendor_headers.inc").write_text(text, encoding="utf-8")

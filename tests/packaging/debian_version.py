# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Gives shared libraries the names that another minor version has, instead of building them again.

usage: debian_version.py FOLDER VERSION OTHER_VERSION

Renames the files, and replaces the names in the files. Both versions must have the same length, because programs and libraries are
changed in place.
"""
import pathlib
import re
import sys

folder, version, other = sys.argv[1:]
assert len(version) == len(other), (version, other)
name = re.compile(rf"(libcubind_[a-z]+\.so\.){re.escape(version)}")
for path in sorted(pathlib.Path(folder).rglob("*")):
    renamed = path.with_name(name.sub(rf"\g<1>{other}", path.name))
    if path.is_symlink():
        target = path.readlink()
        path.unlink()
        renamed.symlink_to(name.sub(rf"\g<1>{other}", str(target)))
    elif path.is_file():
        content = path.read_bytes()
        changed = re.sub(name.pattern.encode(), rb"\g<1>" + other.encode(), content)
        if changed != content:
            path.write_bytes(changed)
        path.rename(renamed)

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""States the folders in which a compiler searches for headers, for tests that compile with the vendor's headers.

Without these options, a compiler also searches the folders that environment variables name, and /usr/local/include, where CUDA's
headers may lie. A header that the folder under test lacks would then be one of another release. Importing this module removes the
variables from the environment.

usage: search_path.py COMPILER (prints the options, one per line)
"""
import functools
import os
import subprocess
import sys

VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH")
for variable in VARIABLES:
    os.environ.pop(variable, None)


@functools.cache
def folders(compiler):
    """Returns the folders of the compiler and of the system, in the order of the search."""
    command = [compiler, "-x", "c++", "-E", "-v", os.devnull]
    text = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}).stderr
    listed = text.partition("#include <...> search starts here:\n")[2].partition("End of search list.")[0].splitlines()
    found = [os.path.realpath(line.strip()) for line in listed]
    if not found:
        raise SystemExit(f"{compiler} -E -v prints no folders of headers:\n{text}")
    return tuple(folder for folder in found if not folder.endswith("/local/include"))


def options(compiler):
    """Returns the options that replace the compiler's own search path. They follow the options for other folders."""
    return ("-nostdinc", "-nostdinc++", *(option for folder in folders(compiler) for option in ("-isystem", folder)))


if __name__ == "__main__":
    print(*options(sys.argv[1]), sep="\n")

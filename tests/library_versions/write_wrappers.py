# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Writes RELEASE(release) for every release, FUNCTIONS(number of C functions), and WRAPPER(name, symbol, since, removed,
releases, returns_status, missing_value, is_variable) for every C++ name of cubind. Bit i of `releases` is set if the i-th
release has the symbol.

usage: write_wrappers.py REPOSITORY LIBRARY OUTPUT
"""
import sys

import spec

REPOSITORY, LIBRARY, OUTPUT = sys.argv[1:]

library = spec.Spec(REPOSITORY, LIBRARY)
with open(OUTPUT, "w", encoding="utf-8") as file:
    file.writelines(f'RELEASE("{release}")\n' for release in library.releases)
    file.write(f"FUNCTIONS({len(library.bound_functions())})\n")
    for name, symbol in library.wrappers().items():
        function = library.functions[symbol]
        file.write(f'WRAPPER({name}, "{symbol}", "{function["since"]}", "{function.get("removed", "")}", '
                   f"{library.bits(function):#x}, {str(library.returns_status(symbol)).lower()}, "
                   f"{library.missing_value(symbol)}, false)\n")
    for variable in library.bound_variables():
        file.write(f'WRAPPER({variable["name"]}, "{variable["name"]}", "{variable["since"]}", "{variable.get("removed", "")}", '
                   f"{library.bits(variable):#x}, true, 0, true)\n")

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the files that coexistence_*.cpp include: NAME(...) for every function name of the vendor's headers of a library, and what
api-specs/ expects of them.

usage: write_name_list.py COMPILER INCLUDE_DIR REPOSITORY LIBRARY NAMES SPEC
"""
import sys

import bound
import vendor_headers

COMPILER, INCLUDE_DIR, REPOSITORY, LIBRARY, NAMES, SPEC = sys.argv[1:]
names = vendor_headers.public_names(COMPILER, INCLUDE_DIR, REPOSITORY, LIBRARY)
with open(NAMES, "w", encoding="utf-8") as file:
    file.writelines(f"NAME({name})\n" for name in names)

release = vendor_headers.release(INCLUDE_DIR, REPOSITORY, LIBRARY)
public_names = bound.facts(REPOSITORY, LIBRARY)["public_names"]
adapters = bound.read(REPOSITORY, LIBRARY, "overrides.json").get("adapters", {})


def has_per_thread_variant(name):
    """Returns whether the vendor's macro for per-thread default streams changes a name to a symbol or to an adapter."""
    meaning = bound.meaning(public_names[name], release) if name in public_names else {"symbol": name}
    return "per_thread" in meaning or meaning["symbol"] + "_ptsz" in adapters


per_thread = [name for name in names if has_per_thread_variant(name)]
with open(SPEC, "w", encoding="utf-8") as file:
    file.write(f"constexpr std::size_t minimum_names = {len(bound.expected_names(REPOSITORY, LIBRARY, release))};\n")
    file.write(f"[[maybe_unused]] constexpr std::size_t per_thread_names = {len(per_thread)};\n")
    rows = ", ".join(f'{{"{name}", "{adapter["calls"]}"}}' for name, adapter in adapters.items())
    file.write(f"const std::vector<std::pair<std::string_view, std::string_view>> adapters = {{{rows}}};\n")

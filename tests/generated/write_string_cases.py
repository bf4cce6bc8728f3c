# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Writes tables of to_string and describe for every enumerator of one library, from api.json.

The C++ calls have only the enumerator as an argument, so that its type selects the overload.

usage: write_string_cases.py REPOSITORY LIBRARY OUTPUT
"""
import sys

import bound


def unused_value(values):
    return next(value for value in range(2, 2**31) if value not in values)


repository, library, output = sys.argv[1:]
lines = ["// Written by write_string_cases.py.", f"#include <cubind/{library}/strings.hpp>", "", '#include "string_cases.hpp"', "",
         "namespace cubind::testing {", "", f"using namespace cubind::{library};", "", "const EnumeratorCase enumerator_cases[] = {"]
# Skips an enum whose enumerators have all moved to another enum.
enums = [enum for enum in bound.facts(repository, library)["enums"] if enum["enumerators"]]
for enum in enums:
    for each in enum["enumerators"]:
        lines.append(f'    {{"{each["name"]}", static_cast<long long>({each["name"]}), to_string({each["name"]})}},')
    lines.append("    {nullptr, 0, nullptr},  // the end of an enum")
if not enums:
    lines.append("    {nullptr, 0, nullptr},")
lines += ["};", "const std::size_t enumerator_case_count = sizeof enumerator_cases / sizeof *enumerator_cases;",
          f"const std::size_t defined_enumerator_count = {len(bound.enumerators(repository, library))};", "",
          f"const std::size_t unknown_case_count = {len(enums)};", "const UnknownCase unknown_cases[] = {"]
for enum in enums:
    unused = unused_value({each["value"] for each in enum["enumerators"]})
    first = enum["enumerators"][0]["name"]
    lines.append(f'    {{"{first}", to_string(static_cast<decltype({first})>({unused}))}},')
if not enums:
    lines.append("    {nullptr, nullptr},")
lines += ["};", "", "const DescribeCase describe_cases[] = {"]
status = bound.status_enum(repository, library)
for enum in (each for each in enums if each["name"] == status):
    for each in enum["enumerators"]:
        lines.append(f'    {{"{each["name"]}", static_cast<long long>({each["name"]}), describe({each["name"]})}},')
    unused = unused_value({each["value"] for each in enum["enumerators"]})
    lines.append(f'    {{nullptr, 0, describe(static_cast<decltype({enum["enumerators"][0]["name"]})>({unused}))}},')
if status is None:
    lines.append("    {nullptr, 0, nullptr},")
lines += ["};", "const std::size_t describe_case_count = sizeof describe_cases / sizeof *describe_cases;", "",
          "}  // namespace cubind::testing", ""]
with open(output, "w", encoding="utf-8") as file:
    file.write("\n".join(lines))

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Measures values and types of C++ expressions after headers, with a program that is compiled and run."""
import os
import re
import subprocess
import tempfile

import preprocessing

PROGRAM = """
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <type_traits>
#include <typeinfo>
{includes}
static const long long values[] = {{ 0,
{values}
}};
static const std::type_info* const types[] = {{ &typeid(int),
{types}
}};
int main()
{{
    for (const long long each : values)
        std::printf("%lld\\n", each);
    for (const std::type_info* each : types) {{
        char* const name = abi::__cxa_demangle(each->name(), nullptr, nullptr, nullptr);
        std::puts(name);
        std::free(name);
    }}
}}
"""
ERROR = re.compile(r"^<stdin>:(\d+):\d+: error:", re.M)


class Unmeasurable(Exception):
    """Raised if the compiler rejects expressions. `rejected` holds those that it names."""

    def __init__(self, rejected, message):
        super().__init__(message)
        self.rejected = rejected


def measured(compiler, include_dir, headers, defines, values, types):
    """Returns {expression: value} for `values` and {type-id or expression: name of its type} for `types`."""
    values, types = sorted(set(values)), sorted(set(types))
    source = PROGRAM.format(includes="".join(f'#include "{each}"\n' for each in headers), values="".join(f"(long long)({each}),\n" for each in values),
                            types="".join(f"&typeid({each}),\n" for each in types))
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        command = preprocessing.command(compiler, include_dir, defines, "-O0", "-fmax-errors=0", "-o", program, "-")
        result = subprocess.run(command, input=source, capture_output=True, text=True)
        if result.returncode != 0:
            lines = source.splitlines()
            wrong = {lines[int(number) - 1] for number in ERROR.findall(result.stderr)}
            raise Unmeasurable({each for each in values if f"(long long)({each})," in wrong} |
                               {each for each in types if f"&typeid({each})," in wrong}, result.stderr[:2000])
        output = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    numbers = [int(each) for each in output[1:len(values) + 1]]
    return dict(zip(values, numbers)), dict(zip(types, output[len(values) + 2:]))

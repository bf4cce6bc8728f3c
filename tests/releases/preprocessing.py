# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the preprocessor on the vendor's headers, to find their tokens and macros and the expansion of names."""
import os
import re
import subprocess

import c_declarations

MARKER = re.compile(r'# (\d+) "(.*?)"')
# A macro without parameters and with a body, in the form that -dD prints.
DEFINE = re.compile(r"#define (\w+) (.+)")


def command(compiler, include_dir, defines, *options):
    return [compiler, "-x", "c++", "-std=c++20", "-w", "-I", include_dir, *("-D" + each for each in defines), *options]


def preprocessed(compiler, include_dir, headers, defines, text="", *options):
    """Returns the preprocessed text of the headers followed by `text`."""
    source = "".join(f'#include "{each}"\n' for each in headers) + text
    return subprocess.run(command(compiler, include_dir, defines, "-E", *options, "-"), input=source, check=True,
                          capture_output=True, text=True).stdout


def tokens_and_macros(compiler, include_dir, headers, defines, wanted):
    """Returns [(text, header, line)] and {macro: body} of the headers `wanted` that the headers include in this view."""
    tokens, macros, here, line_number = [], {}, "", 0
    for line in preprocessed(compiler, include_dir, headers, defines, "", "-dD").splitlines():
        marker = MARKER.match(line)
        if marker:
            folder, name = os.path.split(marker.group(2))
            here = name if name in wanted and os.path.realpath(folder) == os.path.realpath(include_dir) else ""
            line_number = int(marker.group(1))
            continue
        if line.startswith("#undef "):
            macros.pop(line.split()[1], None)
        elif here and line.startswith("#"):
            define = DEFINE.match(line)
            if define:
                macros[define.group(1)] = define.group(2)
        elif here:
            tokens += [(text, here, line_number) for text in c_declarations.TOKEN.findall(line)]
        line_number += 1
    return tokens, macros


def meanings(compiler, include_dir, headers, defines, names):
    """Returns {name: its expansion after the header}."""
    probes = "".join(f'"cubind {name}" {name}\n' for name in names)
    output = preprocessed(compiler, include_dir, headers, defines, probes, "-P")
    return {name: " ".join(meaning.split()) for name, meaning in re.findall(r'"cubind (\w+)"([^"]*)', output)}

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the preprocessor on the vendor's headers, to find their tokens and macros and the expansion of names."""
import atexit
import functools
import os
import pathlib
import re
import subprocess
import tempfile

import c_declarations
import header_folders  # noqa: F401  # adds the folder of search_path
import search_path

# What the vendor's headers use of headers of other software, which are not read even if the machine has them.
FOREIGN = {
    "EGL/egl.h": "typedef int EGLint;",
    "EGL/eglext.h": "typedef void *EGLImageKHR; typedef void *EGLStreamKHR; typedef void *EGLSyncKHR;",
    "GL/gl.h": "#define GL_VERSION 7938\ntypedef unsigned int GLenum; typedef unsigned int GLuint;",
    "vdpau/vdpau.h": "#define VdpGetProcAddress void\n"
                     "typedef unsigned int VdpDevice; typedef unsigned int VdpVideoSurface; typedef unsigned int VdpOutputSurface;",
}

MARKER = re.compile(r'# (\d+) "(.*?)"')
# A macro without parameters and with a body, in the form that -dD prints.
DEFINE = re.compile(r"#define (\w+) (.+)")


@functools.cache
def foreign_folder():
    """Returns a folder with the headers FOREIGN, which exists until the program ends."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    for header, text in FOREIGN.items():
        path = pathlib.Path(folder.name, header)
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#pragma once\n{text}\n", encoding="utf-8")
    return folder.name


def command(compiler, include_dir, defines, *options):
    return [compiler, "-x", "c++", "-std=c++20", "-w", "-I", foreign_folder(), "-I", include_dir, *search_path.options(compiler),
            *("-D" + each for each in defines), *options]


def preprocessed(compiler, include_dir, headers, defines, text="", *options):
    """Returns the preprocessed text of the headers followed by `text`."""
    source = "".join(f'#include "{each}"\n' for each in headers) + text
    return subprocess.run(command(compiler, include_dir, defines, "-E", *options, "-"), input=source, check=True,
                          capture_output=True, text=True).stdout


def tokens_and_macros(compiler, include_dir, headers, defines, wanted):
    """Returns [(text, header, line)] and {macro: body} of the headers `wanted` that the headers include in this view."""
    tokens, macros, here, line_number = [], {}, "", 0
    real_path = functools.cache(os.path.realpath)
    for line in preprocessed(compiler, include_dir, headers, defines, "", "-dD").splitlines():
        marker = MARKER.match(line)
        if marker:
            path = marker.group(2)
            folder, name = os.path.split(path)
            here = name if name in wanted and real_path(folder) == real_path(include_dir) else ""
            if path.startswith(foreign_folder()):
                here = os.path.relpath(path, foreign_folder()) if os.path.relpath(path, foreign_folder()) in wanted else ""
            line_number = int(marker.group(1))
            continue
        if line.startswith("#undef "):
            macros.pop(line.split()[1], None)
        elif here and line.startswith("#"):
            define = DEFINE.match(line)
            if define and here not in FOREIGN:
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

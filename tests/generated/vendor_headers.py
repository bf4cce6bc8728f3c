# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the functions that the vendor's headers declare, without libclang and independently of the generator.

The C++ compiler preprocesses a header in each of its views. Declarations are recognized in the output by their punctuation: a
name, a parameter list, and a semicolon or a body, outside of any other body.
"""
import os
import re
import subprocess

PER_THREAD = ("CUDA_API_PER_THREAD_DEFAULT_STREAM",)

# The header, the prefix of API names, and every view, which is a set of macros that changes the declarations of the header.
LIBRARIES = {
    "driver": ("cuda.h", r"cu[A-Z]", [(), PER_THREAD, ("__CUDA_API_VERSION_INTERNAL",),
                                      ("__CUDA_API_VERSION_INTERNAL", "__CUDA_API_VERSION_INTERNAL_ODR"),
                                      ("CUDA_ENABLE_DEPRECATED",)]),
    "runtime": ("cuda_runtime_api.h", r"cuda[A-Z]", [(), PER_THREAD, ("__CUDA_API_VERSION_INTERNAL",)]),
    "nvrtc": ("nvrtc.h", r"nvrtc[A-Z]", [()]),
    "nvjitlink": ("nvJitLink.h", r"(?:__)?nvJitLink[A-Z]", [(), ("NVJITLINK_NO_INLINE",)]),
}


def release(include_dir):
    """Returns the release of the headers, such as (13, 4)."""
    with open(os.path.join(include_dir, "cuda.h"), encoding="utf-8") as file:
        version = int(re.search(r"^#define CUDA_VERSION (\d+)$", file.read(), re.M).group(1))
    return version // 1000, version % 1000 // 10


def preprocessed(compiler, include_dir, header, defines, also=()):
    """Returns the preprocessed text of `header`, and of those headers in `also` that it includes, with these macros defined."""
    command = [compiler, "-E", "-x", "c++", "-std=c++20", "-I", include_dir, *("-D" + each for each in defines),
               os.path.join(include_dir, header)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines, here = [], False
    for line in output.splitlines():
        marker = re.match(r'# \d+ "(.*?)"', line)
        if marker:
            here = os.path.basename(marker.group(1)) in (header, *also)
        elif here:
            lines.append(line)
    return "\n".join(lines)


def blank_nested(text):
    """Removes the content of every {...} from `text`, except for the block of extern "C"."""
    text = re.sub(r'extern\s+"C"\s*\{', " ", text)
    result, depth = [], 0
    for character in text:
        if character == "{":
            depth += 1
            result.append("{" if depth == 1 else "")
        elif character == "}":
            depth = max(0, depth - 1)
            result.append("}" if depth == 0 else "")
        elif depth == 0:
            result.append(character)
    return "".join(result)


DECLARATION = r"(?:^|[;{{}}])\s*([^;{{}}()=]*?(?:__attribute__\s*\(\([^;]*?\)\)[^;{{}}()=]*?)*)\b({prefix}\w*)\s*(\((?:[^()]|\([^()]*\))*\))[^;{{}}()]*([;{{])"


def functions(text, prefix):
    """Returns {name: True for a symbol, False for an inline definition} of the declarations in preprocessed text."""
    found = {}
    pattern = re.compile(DECLARATION.format(prefix=prefix))
    text, position = blank_nested(text), 0
    while match := pattern.search(text, position):
        position = match.end() - 1  # the last character may begin the next declaration
        before, name, _, end = match.groups()
        if "typedef" in before.split() or not before.strip():
            continue
        is_symbol = end == ";" and "static" not in before.split()
        found[name] = found.get(name, False) or is_symbol
    return found


TYPE_HEADERS = {"runtime": ("driver_types.h", "surface_types.h", "texture_types.h")}


def enumerators(compiler, include_dir, library):
    """Returns the names of all enumerators that a library's headers define in any view."""
    header, _, views = LIBRARIES[library]
    found = set()
    for view in views:
        text = preprocessed(compiler, include_dir, header, view, TYPE_HEADERS.get(library, ()))
        text = re.sub(r"__attribute__\s*\(\(.*?\)\)", "", text, flags=re.S)
        for body in re.findall(r"\benum\b[^;{}()]*\{([^{}]*)\}", text):
            found.update(re.findall(r"(?:^|,)\s*(\w+)", body))
    return found


def declared(compiler, include_dir, library):
    """Returns {name: True if any view declares it as a symbol} for all views of a library's header."""
    header, prefix, views = LIBRARIES[library]
    found = {}
    for view in views:
        for name, is_symbol in functions(preprocessed(compiler, include_dir, header, view), prefix).items():
            found[name] = found.get(name, False) or is_symbol
    return found


def public_names(compiler, include_dir, library):
    """Returns the public names, which are the names in the header before the preprocessor renames them, in the default view."""
    header, prefix, _ = LIBRARIES[library]
    with open(os.path.join(include_dir, header), encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", " ", text)
    # Removes only the macros that rename functions.
    text = re.sub(r"^[ \t]*#[ \t]*define[ \t]+" + prefix + r"\w*[ \t]+[^\n]*$", "", text, flags=re.M)
    include = re.compile(r"^[ \t]*#[ \t]*include[^\n]*$", re.M)
    command = [compiler, "-E", "-P", "-x", "c++", "-std=c++20", "-D__host__=", "-"]
    text = subprocess.run(command, check=True, capture_output=True, text=True, input=include.sub("", text)).stdout
    return sorted(name for name in functions(text, prefix) if not name.startswith("__"))

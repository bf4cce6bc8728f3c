#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""module_names.py [COMPILER]: writes the list of names in runtime/core/module/cubind.cppm again, after a public name was added or removed.

The names are those that a program sees in namespace cubind after it includes <cubind/core.hpp>, except for namespaces and operators that
argument-dependent lookup finds. COMPILER is a clang, clang++-19 by default.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULE = ROOT / "runtime/core/module/cubind.cppm"
INCLUDES = [f"-I{folder}" for folder in (*ROOT.glob("runtime/**/include"), *ROOT.glob("generated/*/include"))]
USING = re.compile(r"^using cubind::(.+);$", re.MULTILINE)


def run(compiler, *arguments):
    done = subprocess.run([compiler, "-std=c++20", *INCLUDES, *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def names_of_header(compiler):
    """Returns the names that a program can name, sorted."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "names.cpp"
        file.write_text("#include <cubind/core.hpp>\n", encoding="utf-8")
        status, output = run(compiler, "-fsyntax-only", "-Xclang", "-ast-list", file)
        if status != 0:
            raise RuntimeError(f"{compiler} cannot compile <cubind/core.hpp>:\n{output[-2000:]}")
        names = sorted(set(re.findall(r"^ *cubind::([^:\n]+)$", output, re.MULTILINE)))
        # Friends that no using-declaration finds, and namespaces, are not public names.
        lines = ["#include <cubind/core.hpp>", "namespace names {", *(f"using cubind::{name};" for name in names), "}"]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        status, output = run(compiler, "-fsyntax-only", "-ferror-limit=0", file)
        wrong = {int(line) for line in re.findall(r"names\.cpp:(\d+):\d+: error:", output)}
        return [name for number, name in enumerate(names, start=3) if number not in wrong]


def names_of_module():
    return USING.findall(MODULE.read_text(encoding="utf-8"))


def main(compiler="clang++-19"):
    text = MODULE.read_text(encoding="utf-8")
    names = "".join(f"using cubind::{name};\n" for name in names_of_header(compiler))
    head, begin, rest = text.partition("export namespace cubind {\n")
    MODULE.write_text(head + begin + names + rest[rest.index("}"):], encoding="utf-8")
    print(f"{MODULE.relative_to(ROOT)} has {len(names_of_module())} names")


if __name__ == "__main__":
    main(*sys.argv[1:])

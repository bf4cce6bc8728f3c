# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles vendor_layout.hpp of every library with the headers of every release. This checks the layouts and values of all records and
enumerators that the release has in their current form.

usage: layouts_test.py --compiler CXX --root ROOT --headers FOLDER
"""
import argparse
import json
import pathlib
import subprocess
import sys

import header_folders
import vendor_headers

parser = argparse.ArgumentParser()
parser.add_argument("--compiler", required=True)
parser.add_argument("--root", type=pathlib.Path, required=True)
parser.add_argument("--headers", type=pathlib.Path, required=True, help="holds RELEASE/include")
arguments = parser.parse_args()


def read_json(file):
    return json.loads(file.read_text(encoding="utf-8"))


def errors_of(library, status, include):
    """Returns the compiler's errors for one library's vendor_layout.hpp with the headers in a folder. The conversion of the status
    guards against an empty file. The status may be a type of a used library, where its conversion is found by its type."""
    config = vendor_headers.settings(str(arguments.root), library)
    # vendor_layout.hpp includes the other headers.
    main_headers = vendor_headers.main_headers(include, config)
    side_headers = vendor_headers.included_headers(include, config)[len(main_headers):]
    first = "".join(f"#include <{each}>\n" for each in [*main_headers[:1], *side_headers]) if side_headers else ""
    source = (f"{first}#include <cubind/{library}/vendor_layout.hpp>\n"
              f"using Status = decltype(to_vendor(cubind::{library}::{status}()));\n")
    command = [arguments.compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", "-",
               *(f"-I{each}" for each in sorted((arguments.root / "generated").glob("*/include"))),
               "-I", arguments.root / "runtime/loader/include",
               "-isystem", include, *vendor_headers.foreign_options(str(arguments.root))]
    run = subprocess.run(command, input=source, capture_output=True, text=True)
    return run.stderr if run.returncode else ""


def main():
    checked = failures = 0
    for api in sorted((arguments.root / "api-specs").glob("*/api.json")):
        library = api.parent.name
        config = read_json(api.with_name("library.json"))
        # A library that is bound to one major has only the layouts of that major.
        major = config["loading"].get("major")
        for release, include in header_folders.folders(arguments.root, arguments.headers, library).items():
            if major and release.split(".")[0] != str(major):
                continue
            checked += 1
            errors = errors_of(library, config["status"]["type"], include)
            if errors:
                failures += 1
                print(f"{library} {release}:\n{errors}")
    print(f"{checked} checked, {failures} failed")
    sys.exit(failures > 0 or checked < 14)


main()

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles vendor_layout.hpp of every library with the headers of every release. This checks the layouts and values of all records and
enumerators that the release has in their current form.

usage: layouts_test.py --compiler CXX --root ROOT --headers FOLDER
"""
import argparse
import collections
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


def source_of(library, include):
    """Returns a source that includes vendor_layout.hpp of a library. The conversion of the status guards against an empty file. The
    status may be a type of a used library, where its conversion is found by its type."""
    config = vendor_headers.settings(str(arguments.root), library)
    # vendor_layout.hpp includes the other headers.
    main_headers = vendor_headers.main_headers(include, config)
    side_headers = vendor_headers.included_headers(include, config)[len(main_headers):]
    first = "".join(f"#include <{each}>\n" for each in [*main_headers[:1], *side_headers]) if side_headers else ""
    return (f"{first}#include <cubind/{library}/vendor_layout.hpp>\n"
            f"using {library}_status = decltype(to_vendor(cubind::{library}::{config['status']['type']}()));\n")


def errors_of(libraries, include):
    """Returns the compiler's errors for vendor_layout.hpp of the libraries with the headers in a folder."""
    command = [arguments.compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", "-",
               *(f"-I{each}" for each in sorted((arguments.root / "generated").glob("*/include"))),
               "-I", arguments.root / "runtime/loader/include",
               "-isystem", include, *vendor_headers.search_options(arguments.compiler, str(arguments.root))]
    source = "".join(source_of(library, include) for library in libraries)
    run = subprocess.run(command, input=source, capture_output=True, text=True)
    return (run.stderr or "failed") if run.returncode else ""


def releases_of(library):
    """Returns {release: folder of headers}. A library that is bound to one major has only the layouts of that major."""
    major = vendor_headers.settings(str(arguments.root), library)["loading"].get("major")
    folders = header_folders.folders(arguments.root, arguments.headers, library)
    return {release: folder for release, folder in folders.items() if not major or release.split(".")[0] == str(major)}


def main():
    """Compiles all libraries of a folder together, which takes a third of the time. Compiles each alone with its oldest and newest
    release, where it might lack an include, and where all together have errors."""
    folders, alone, checked, failures = collections.defaultdict(dict), set(), 0, 0
    for api in sorted((arguments.root / "api-specs").glob("*/api.json")):
        releases = releases_of(api.parent.name)
        for release, folder in releases.items():
            folders[folder][api.parent.name] = release
        alone.update((folder, api.parent.name) for folder in (*[*releases.values()][:1], *[*releases.values()][-1:]))
    for folder, releases in folders.items():
        checked += len(releases)
        together = errors_of(releases, folder)
        problems = {f"{library} {release}": errors_of([library], folder) for library, release in releases.items()
                    if together or (folder, library) in alone}
        problems = {what: errors for what, errors in problems.items() if errors}
        if together and not problems:
            problems["all libraries together, of " + folder.parent.name] = together
        failures += len(problems)
        for what, errors in problems.items():
            print(f"{what}:\n{errors}")
    print(f"{checked} checked, {failures} failed")
    sys.exit(failures > 0 or checked < 14)


main()

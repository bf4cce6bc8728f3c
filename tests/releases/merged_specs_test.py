# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that merging the headers of all releases in any order results in the committed specs.

usage: merged_specs_test.py --generator CUBIND_GEN --root ROOT --headers FOLDER
"""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import header_folders

parser = argparse.ArgumentParser()
parser.add_argument("--generator", required=True)
parser.add_argument("--root", type=pathlib.Path, required=True)
parser.add_argument("--headers", type=pathlib.Path, required=True, help="holds RELEASE/include")
arguments = parser.parse_args()

SPECS = arguments.root / "api-specs"
LIBRARIES = sorted(folder.parent.name for folder in SPECS.glob("*/api.json"))


def committed(library):
    return (SPECS / library / "api.json").read_text(encoding="utf-8")


def folders_of_cuda(library):
    """Returns the releases of CUDA with whose headers a library is read. A library with its own versions is in some of them."""
    return [folder.parent.name for folder in header_folders.folders(arguments.root, arguments.headers, library).values()]


# The releases of CUDA with the headers of each library.
RELEASES = {library: folders_of_cuda(library) for library in LIBRARIES}


def merge(releases, folder):
    """Merges the releases in this order into new specs."""
    for library in LIBRARIES:
        shutil.copytree(SPECS / library, folder / library, ignore=shutil.ignore_patterns("api.json"))
    for release in releases:
        # A library that is younger than the release has no headers in it.
        present = [library for library in LIBRARIES if release in RELEASES[library]]
        subprocess.run([arguments.generator, "--specs", folder, "extract", *present, "--include",
                        arguments.headers / release / "include"], check=True, stdout=subprocess.DEVNULL)


def differing(releases):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        merge(releases, folder)
        return [library for library in LIBRARIES if (folder / library / "api.json").read_text(encoding="utf-8") != committed(library)]


def main():
    releases = max(RELEASES.values(), key=len)
    if any(not set(other) <= set(releases) for other in RELEASES.values()) or len(releases) < 14:
        sys.exit(f"no spec has the releases of all others, or all have fewer than 14: {RELEASES}")
    shuffled = releases[:]
    random.Random(0).shuffle(shuffled)
    failures = 0
    # The committed specs come from the releases in their order. The last order repeats two of them, which must not change anything.
    for order in (releases[::-1], shuffled + shuffled[:2]):
        for library in differing(order):
            failures += 1
            print(f"{library}: merging in the order {' '.join(order)} does not result in the committed api.json")
    sys.exit(failures > 0)


main()

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the output of `cubind-gen diff` for every two releases with the headers themselves.

The generator reads api-specs/, which holds all releases. raw_headers.py reads the headers of each release independently. The test
prints every difference with both values.

usage: diff_test.py --generator CUBIND_GEN --root REPOSITORY --headers FOLDER (with RELEASE/include) --cache FOLDER
"""
import argparse
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import cached_readings
import expected_diff
import facts
import views

# Slightly less than the number of entries in the smallest release. A reading with fewer entries is incomplete.
MIN_ENTRIES = {
    "driver": {"functions": 500, "public_names": 350, "enums": 80, "records": 50, "handles": 18, "aliases": 180, "callbacks": 3,
               "constants": 50},
    "runtime": {"functions": 330, "public_names": 260, "enums": 50, "records": 40, "handles": 12, "aliases": 16, "callbacks": 2,
                "constants": 80},
    "nvrtc": {"functions": 20, "public_names": 20, "enums": 1, "handles": 1},
    "nvjitlink": {"functions": 13, "public_names": 13, "enums": 2, "handles": 1},
}
MIN_PARTS = {"driver": {"enumerators": 650, "fields": 380, "groups": 30, "per_thread": 70},
             "runtime": {"enumerators": 500, "fields": 320, "groups": 19, "per_thread": 45},
             "nvrtc": {"enumerators": 11, "groups": 3}, "nvjitlink": {"enumerators": 12, "groups": 1}}


def parts_of(reading):
    return {"enumerators": len(expected_diff.enumerators_of(reading)),
            "fields": sum(len(each["fields"]) for each in reading["records"].values()),
            "groups": len({each["group"] for each in reading["functions"].values()} - {""}),
            "per_thread": sum(bool(per_thread) for _, per_thread in reading["public_names"].values())}


def implausible(readings):
    """Returns a line for each kind with too few entries."""
    found = []
    for (release, library), reading in readings.items():
        counts = {**{kind: len(entries) for kind, entries in reading.items()}, **parts_of(reading)}
        for kind, minimum in {**MIN_ENTRIES[library], **MIN_PARTS[library]}.items():
            if counts[kind] < minimum:
                found.append(f"{library} {release}: {counts[kind]} {kind} were read, but the headers have at least {minimum}")
    return found


def stated(generator, root, specs, old, new):
    """Returns {library: the generator's diff} for two releases of the libraries in a folder of specs."""
    command = [generator, "--root", root, "--specs", specs, "diff", old, new, "--format", "json"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit status {result.returncode}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
    diff = json.loads(result.stdout)
    if (diff["old"], diff["new"]) != (old, new):
        raise SystemExit(f"{' '.join(command)}: the output compares {diff['old']} and {diff['new']}")
    return {each["library"]: expected_diff.stated(each) for each in diff["libraries"]}


def problems_of_pair(readings, statements, old, new):
    """Returns the differences without the names of the releases, because many pairs have the same differences."""
    found = [f"the diff lacks {library}" for library in sorted({*views.LIBRARIES} - {*statements})]
    for library in sorted({*views.LIBRARIES} & {*statements}):
        expectation = expected_diff.expected(readings[old, library], readings[new, library])
        for key, headers, diff in expected_diff.disagreements(expectation, statements[library]):
            found.append(f"{library}: {' '.join(key)}: {headers} in the headers, {diff} in the diff")
    return found


def compare_pairs(arguments, releases, readings):
    """Returns {problem: [pair, ...]} and the number of changes that the generator prints."""
    problems, changes = {}, 0
    specs = pathlib.Path(arguments.root, "api-specs").resolve()
    with tempfile.TemporaryDirectory() as compared_specs:
        for library in views.LIBRARIES:
            pathlib.Path(compared_specs, library).symlink_to(specs / library)
        for old, new in itertools.combinations(releases, 2):
            # The specs of the other libraries take most of the time. They are read for consecutive releases only.
            is_next = releases.index(new) == releases.index(old) + 1
            statements = stated(os.path.abspath(arguments.generator), arguments.root, specs if is_next else compared_specs, old, new)
            changes += sum(len(each) for each in statements.values())
            for problem in problems_of_pair(readings, statements, old, new):
                problems.setdefault(problem, []).append(f"{old}-{new}")
    return problems, changes


def arguments_and_readings(description, *more):
    """Returns the parsed command line, the releases with headers, oldest first, and {(release, library): reading}."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    for option in ("root", "headers", "cache", *more):
        parser.add_argument("--" + option, required=True)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--jobs", type=int, default=1, help="number of headers to read in parallel")
    arguments = parser.parse_args()
    releases = sorted((each.parent.name for each in pathlib.Path(arguments.headers).glob("*/include")), key=facts.key)
    if len(releases) < 2:
        raise SystemExit(f"{arguments.headers} holds the headers of {len(releases)} releases; at least two are required")
    readings = cached_readings.read_all(arguments.compiler, arguments.headers, releases, arguments.cache, arguments.jobs)
    return arguments, releases, readings


def main():
    """Returns exit status 1 if there is a difference."""
    arguments, releases, readings = arguments_and_readings(__doc__, "generator")
    broken = implausible(readings)
    problems, changes = compare_pairs(arguments, releases, readings)
    for line in broken + [f"{problem}\n    in {' '.join(pairs)}" for problem, pairs in sorted(problems.items())]:
        print(line)
    print(f"{len(releases)} releases, {changes} changes between two of them, {len(broken) + len(problems)} differences")
    return 1 if broken or problems or not changes else 0


if __name__ == "__main__":
    sys.exit(main())

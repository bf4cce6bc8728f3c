# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Compares api.json with the headers of every release, including the facts that are equal in all releases, which diff_test.py
misses.

The test does not compare these facts, because raw_headers.py does not read them: names, directions and default values of
parameters, sizes of structs that a field defines in place, headers of entries, and the order of enumerators.

usage: facts_test.py --root REPOSITORY --headers FOLDER (with RELEASE/include) --cache FOLDER
"""
import json
import pathlib
import sys

import diff_test
import expected_diff
import facts
import views


def leaves(value, path=()):
    """Returns {path: value} of nested dicts. An empty dict is a leaf."""
    if not isinstance(value, dict) or not value:
        return {path: expected_diff.without_blanks(value)}
    return {each: leaf for name, inner in value.items() for each, leaf in leaves(inner, (*path, str(name))).items()}


def problems_of(readings, specs):
    """Returns {problem: [release, ...]}."""
    problems = {}
    for (release, library), reading in readings.items():
        stated = facts.of_release(specs[library], release)
        for path, headers, spec in expected_diff.disagreements(leaves(reading), leaves(stated)):
            problems.setdefault(f"{library}: {' '.join(path)}: {headers} in the headers, {spec} in api.json", []).append(release)
    return problems


def lifetime_in_headers(readings, releases, library, record, path):
    """Returns [first release whose record has the field, first release after the last such release or ""]."""
    records = {release: readings[release, library]["records"].get(record, {"fields": {}}) for release in releases}
    having = [position for position, release in enumerate(releases) if path in records[release]["fields"]]
    after = releases[having[-1] + 1:] if having else []
    return [releases[having[0]] if having else "", after[0] if after and record in readings[after[0], library]["records"] else ""]


def problems_of_lifetimes(readings, releases, specs):
    """Returns a line for each field that the headers add or remove in another release than api.json states."""
    found = []
    for library, spec in specs.items():
        for record in spec["records"]:
            for path, lifetime in facts.field_lifetimes(record).items():
                headers = lifetime_in_headers(readings, releases, library, record["name"], path)
                if headers != lifetime:
                    where = f"{library}: {record['name']} {path}"
                    found.append(f"{where}: since and removed are {headers} in the headers, {lifetime} in api.json")
    return found


def main():
    """Returns exit status 1 if there is a difference."""
    arguments, releases, readings = diff_test.arguments_and_readings(__doc__)
    specs = {library: json.loads(pathlib.Path(arguments.root, "api-specs", library, "api.json").read_text(encoding="utf-8"))
             for library in views.LIBRARIES}
    broken, problems = diff_test.implausible(readings), problems_of(readings, specs)
    if all(spec["releases"] == releases for spec in specs.values()):  # if releases are missing, lifetimes appear shorter
        broken += problems_of_lifetimes(readings, releases, specs)
    for line in broken + [f"{problem}\n    in {' '.join(where)}" for problem, where in sorted(problems.items())]:
        print(line)
    print(f"{len(releases)} releases, {sum(len(leaves(each)) for each in readings.values())} facts, {len(broken) + len(problems)} differences")
    return 1 if broken or problems else 0


if __name__ == "__main__":
    sys.exit(main())

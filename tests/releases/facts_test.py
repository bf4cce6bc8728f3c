# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""api.json says of every release what its headers say: also what diff_test.py cannot see, because it is the same in all releases.

Not compared, because raw_headers.py does not read it: names, directions and default values of parameters, sizes of structs that a
field defines in place, the header of an entry, and the order of enumerators.

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
    """{path: value} of nested dicts; an empty dict is a leaf."""
    if not isinstance(value, dict) or not value:
        return {path: expected_diff.squeezed(value)}
    return {each: leaf for name, inner in value.items() for each, leaf in leaves(inner, (*path, str(name))).items()}


def problems_of(readings, specs):
    """{problem: [release, ...]}."""
    problems = {}
    for (release, library), reading in readings.items():
        stated = facts.of_release(specs[library], release)
        for path, headers, spec in expected_diff.disagreements(leaves(reading), leaves(stated)):
            problems.setdefault(f"{library}: {' '.join(path)}: the headers say {headers}, api.json says {spec}", []).append(release)
    return problems


def life_in_headers(readings, releases, library, record, path):
    """[first release whose record has the field, first release after the last one that has it or ""]."""
    records = {release: readings[release, library]["records"].get(record, {"fields": {}}) for release in releases}
    having = [position for position, release in enumerate(releases) if path in records[release]["fields"]]
    after = releases[having[-1] + 1:] if having else []
    return [releases[having[0]] if having else "", after[0] if after and record in readings[after[0], library]["records"] else ""]


def problems_of_lives(readings, releases, specs):
    """Fields that came or went in another release than api.json says."""
    found = []
    for library, spec in specs.items():
        for record in spec["records"]:
            for path, life in facts.field_lives(record).items():
                headers = life_in_headers(readings, releases, library, record["name"], path)
                if headers != life:
                    where = f"{library}: {record['name']} {path}"
                    found.append(f"{where}: the headers have it from, until {headers}, api.json says {life}")
    return found


def main():
    """Exit status 1 where anything disagrees."""
    arguments, releases, readings = diff_test.arguments_and_readings(__doc__)
    specs = {library: json.loads(pathlib.Path(arguments.root, "api-specs", library, "api.json").read_text(encoding="utf-8"))
             for library in views.LIBRARIES}
    broken, problems = diff_test.implausible(readings), problems_of(readings, specs)
    if all(spec["releases"] == releases for spec in specs.values()):  # with some releases missing, lives look shorter
        broken += problems_of_lives(readings, releases, specs)
    for line in broken + [f"{problem}\n    in {' '.join(where)}" for problem, where in sorted(problems.items())]:
        print(line)
    print(f"{len(releases)} releases, {sum(len(leaves(each)) for each in readings.values())} facts, {len(broken) + len(problems)} disagreements")
    return 1 if broken or problems else 0


if __name__ == "__main__":
    sys.exit(main())

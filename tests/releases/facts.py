# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Converts the facts of one release in api.json to the form of a reading of raw_headers.

An entry is present from `since` until `removed`, except in the releases in `absent`. Its body is the first of `history` whose
`until` is later than the release, else the body of the entry itself.
"""


def key(release):
    return tuple(int(part) for part in release.split("."))


def is_present(entry, release):
    return (key(entry["since"]) <= key(release) and release not in entry.get("absent", [])
            and ("removed" not in entry or key(release) < key(entry["removed"])))


def body(entry, release):
    return next((each for each in entry.get("history", []) if key(release) < key(each["until"])), entry)


def present(entries, release):
    """Returns {name: body} of the entries in a list that the release has."""
    return {each["name"]: body(each, release) for each in entries if is_present(each, release)}


def signature(function):
    return f"{function['returns']}({','.join(each['type'] for each in function['parameters'])})"


def keyword(record):
    return "union" if record.get("union") else "struct"


def members(record, base=0, prefix=""):
    """Yields (path, member, offset). Members of anonymous members belong to their parent. Elements of arrays are left out."""
    for each in record["fields"]:
        name, offset, inner = each.get("name", ""), base + each["offset"], each.get("record")
        if name:
            yield prefix + name, each, offset
        if inner and not each.get("extents"):
            yield from members(inner, offset, f"{prefix}{name}." if name else prefix)


def type_of(member):
    extents = "".join(f"[{extent}]" for extent in member.get("extents", []))
    return keyword(member["record"]) + extents if "record" in member else member["type"]


def fields(record):
    """Returns {path: [type, offset]}."""
    return {path: [type_of(member), offset] for path, member, offset in members(record)}


def field_lifetimes(record):
    """Returns {path: [since, removed or ""]} for all releases."""
    lifetimes = {path: [member.get("since", record["since"]), ""] for path, member, _ in members(record)}
    for former in record.get("history", []):
        lifetimes.update({path: [member.get("since", record["since"]), member["removed"]] for path, member, _ in members(former)
                      if "removed" in member})
    return lifetimes


def public_names(facts, functions, release):
    names = {name: [name, ""] for name, each in functions.items() if "view" not in each}
    for name, meanings in facts["public_names"].items():
        now = [each for each in meanings if key(each["since"]) <= key(release)]
        if now and is_present(now[-1], release):
            names[name] = [now[-1]["symbol"], now[-1].get("per_thread", "")]
    return names


def enum(entry, release):
    values = {each["name"]: body(each, release) for each in entry["enumerators"] if is_present({"since": entry["since"], **each}, release)}
    return {"underlying": body(entry, release)["underlying"], "enumerators": {name: each["value"] for name, each in values.items()}}


def of_release(facts, release):
    """Returns the whole reading of a release."""
    functions = present(facts["functions"], release)
    return {
        "functions": {name: {"signature": signature(each), "group": each.get("group", ""), "public": "view" not in each}
                      for name, each in functions.items()},
        "public_names": public_names(facts, functions, release),
        "enums": {each["name"]: enum(each, release) for each in facts["enums"] if is_present(each, release)},
        "records": {name: {"keyword": keyword(each), "size": each["size"], "alignment": each["alignment"], "fields": fields(each)}
                    for name, each in present(facts["records"], release).items()},
        "handles": {name: each["tag"] for name, each in present(facts["handles"], release).items()},
        "aliases": {name: each["type"] for name, each in present(facts["aliases"], release).items()},
        "callbacks": {name: signature(each) for name, each in present(facts["callbacks"], release).items()},
        "constants": {name: [each["type"], each["value"]] for name, each in present(facts["constants"], release).items()},
    }

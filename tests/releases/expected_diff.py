# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Converts the changes between two readings of a library, and the output of `cubind-gen diff`, to a form that can be compared.

A diff is {(kind, change, name): description}, such as {("types", "added", "CUevent"): "handle"}. The keys of public names and
records are (kind, name), those of fields are ("fields", record, change, path).

The comparison ignores what the text of the headers does not determine:
- White space in types: "const char *const *" and "const char*const*" are equal.
- The description of a changed type, except for its kind and the two texts.
"""
import re

SECTIONS = {"library", "public_names", "functions", "types", "records", "enumerators", "constants", "groups"}


def without_blanks(value):
    """Removes white space from texts, also within lists and tuples."""
    if isinstance(value, str):
        return re.sub(r"\s", "", value)
    return tuple(without_blanks(each) for each in value) if isinstance(value, (list, tuple)) else value


def types_of(reading):
    """Returns {name: (kind, text)}."""
    return {**{name: ("enum", each["underlying"]) for name, each in reading["enums"].items()},
            **{name: ("record", each["keyword"]) for name, each in reading["records"].items()},
            **{name: ("handle", tag + " *") for name, tag in reading["handles"].items()},
            **{name: ("alias", type) for name, type in reading["aliases"].items()},
            **{name: ("callback", signature) for name, signature in reading["callbacks"].items()}}


def enumerators_of(reading):
    """Returns {name: (enum, value)}."""
    return {name: (enum, value) for enum, each in reading["enums"].items() for name, value in each["enumerators"].items()}


def compared(kind, old, new, described, changed):
    """Returns added and removed entries as `described(entry)`, and common ones as `changed(old, new)` unless that is None."""
    found = {}
    for name in sorted({*old, *new}):
        if name not in old:
            found[kind, "added", name] = described(new[name])
        elif name not in new:
            found[kind, "removed", name] = described(old[name])
        elif (difference := changed(old[name], new[name])) is not None:
            found[kind, "changed", name] = difference
    return found


def names_diff(old, new):
    found = {}
    for name in {*old["public_names"], *new["public_names"]}:
        was, now = old["public_names"].get(name, ["", ""]), new["public_names"].get(name, ["", ""])
        is_added = not was[0] and now[0] not in old["functions"]
        is_removed = not now[0] and was[0] not in new["functions"]
        if was != now and not is_added and not is_removed:  # names that change with their function are reported with it
            found["public_names", name] = (was[0], now[0], was[1], now[1])
    return found


def records_diff(old, new):
    found = {}
    for name in {*old["records"]} & {*new["records"]}:
        was, now = old["records"][name], new["records"][name]
        fields = compared(name, was["fields"], now["fields"], tuple, lambda before, after: None)
        for path in {*was["fields"]} & {*now["fields"]}:
            (old_type, old_offset), (new_type, new_offset) = was["fields"][path], now["fields"][path]
            if old_offset != new_offset:
                fields[name, "moved", path] = (old_offset, new_offset)
            if old_type != new_type:
                fields[name, "retyped", path] = (old_type, new_type)
        layout = (was["size"], now["size"], was["alignment"], now["alignment"])
        if fields or was["size"] != now["size"] or was["alignment"] != now["alignment"]:
            found["records", name] = layout
            found.update({("fields", *key): each for key, each in fields.items()})
    return found


def expected(old, new):
    """Returns the diff of two readings of raw_headers."""
    def groups(reading):
        return {each["group"]: () for each in reading["functions"].values() if each["group"]}

    found = {
        **names_diff(old, new),
        **compared("functions", old["functions"], new["functions"], lambda each: (each["signature"], each["group"], each["public"]),
                   lambda was, now: (was["signature"], now["signature"]) if was["signature"] != now["signature"] else None),
        **compared("types", types_of(old), types_of(new), lambda each: each[0],
                   lambda was, now: (now[0], was[1], now[1]) if was != now else None),
        **records_diff(old, new),
        **compared("enumerators", enumerators_of(old), enumerators_of(new), tuple,
                   lambda was, now: (now[0], was[1], now[1]) if was[1] != now[1] else None),
        **compared("constants", old["constants"], new["constants"], tuple,
                   lambda was, now: (was[1], now[1]) if was[1] != now[1] else None),
        **compared("groups", groups(old), groups(new), tuple, lambda was, now: None)}
    return {key: without_blanks(each) for key, each in found.items()}


def stated(library):
    """Returns the diff in one entry under "libraries" of the generator's JSON."""
    missing = SECTIONS - {*library}
    if missing:
        raise KeyError(f"the diff of {library.get('library')} lacks {sorted(missing)}")
    found = {("public_names", each["name"]): (each["old"], each["new"], each["old_per_thread"], each["new_per_thread"])
             for each in library["public_names"]}
    keys = {"functions": (("signature", "group", "public"), ("old", "new")), "types": ("kind", ("kind", "old", "new")),
            "enumerators": (("enum", "value"), ("enum", "old", "new")), "constants": (("type", "value"), ("old", "new"))}
    for kind, (described, changed) in keys.items():
        for change, wanted in (("added", described), ("removed", described), ("changed", changed)):
            for each in library[kind][change]:
                description = each[wanted] if isinstance(wanted, str) else tuple(each[key] for key in wanted)
                found[kind, change, each["name"]] = description
    for record in library["records"]:
        found["records", record["name"]] = tuple(record[key] for key in ("old_size", "new_size", "old_alignment", "new_alignment"))
        for change, wanted in (("added", ("type", "offset")), ("removed", ("type", "offset")),
                               ("moved", ("old_offset", "new_offset")), ("retyped", ("old", "new"))):
            for each in record["fields"][change]:
                found["fields", record["name"], change, each["path"]] = tuple(each[key] for key in wanted)
    for change in ("added", "removed"):
        found.update({("groups", change, group): () for group in library["groups"][change]})
    return {key: without_blanks(each) for key, each in found.items()}


def disagreements(expectation, statement):
    """Returns [(key, value in the headers or None, value in the diff or None)]."""
    return [(key, expectation.get(key), statement.get(key)) for key in sorted({*expectation, *statement})
            if expectation.get(key) != statement.get(key)]

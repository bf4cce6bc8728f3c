# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the declarations in the headers of one library and release, without libclang and independently of the generator.

Declarations are parsed from the preprocessed text of the library's own headers in each view. Values, sizes, alignments and
offsets are not parsed but measured with a compiled program. A reading is plain data:

    functions      {symbol: {"signature", "group", "public": whether the first view declares it}}
    public_names   {name: [symbol, symbol with the per-thread default stream or ""]}
    enums          {name: {"underlying", "enumerators": {name: value}}}
    records        {name: {"keyword", "size", "alignment", "fields": {path: [type, offset]}}}
    handles        {name: tag},  aliases {name: type},  callbacks {name: signature}
    constants      {name: [type, value]}

usage: raw_headers.py COMPILER INCLUDE_DIR LIBRARY
"""
import json
import pathlib
import sys

import doc_groups
import measuring
import views

KINDS = ("functions", "public_names", "enums", "records", "handles", "aliases", "callbacks", "constants")


def paths_of(record, prefix=""):
    """Yields (path, type, lengths) of every member that offsetof accepts. Members of anonymous members belong to the record."""
    for name, type, lengths, inner in record.fields:
        if name:
            extents = "".join(f"[{each}]" for each in lengths)
            yield prefix + name, inner.keyword + extents if inner else type, lengths
        if inner and not lengths:
            yield from paths_of(inner, f"{prefix}{name}." if name else prefix)


def offset(record, path):
    return f"offsetof({record.spelling()}, {path})"


def underlying(enum):
    return f"std::underlying_type_t<{enum.spelling()}>"


class Measurements:
    """The measured values of a view. Constants whose values are neither integers nor pointers are removed."""

    def __init__(self, view):
        self.view, self.constants = view, set(view.constants)
        try:
            self.measure()
        except measuring.Unmeasurable as error:
            if not error.rejected or not error.rejected <= self.constants:
                raise
            self.constants -= error.rejected
            self.measure()

    def measure(self):
        parsed = self.view.parsed
        values = [*self.constants, *(name for each in parsed.enums.values() for name in each.enumerators)]
        for record in parsed.records.values():
            values += [f"sizeof({record.spelling()})", f"alignof({record.spelling()})"]
            for path, _, lengths in paths_of(record):
                values += [offset(record, path), *lengths]
        types = [*self.constants, *(underlying(each) for each in parsed.enums.values())]
        self.values, self.types = measuring.measured(self.view.compiler, self.view.include_dir, self.view.library["headers"],
                                                     self.view.defines, values, types)

    def field(self, record, path, type, lengths):
        for each in lengths:
            type = type.replace(f"[{each}]", f"[{self.values[each]}]")
        return [type, self.values[offset(record, path)]]

    def record(self, record):
        return {"keyword": record.keyword,
                "size": self.values[f"sizeof({record.spelling()})"], "alignment": self.values[f"alignof({record.spelling()})"],
                "fields": {path: self.field(record, path, type, lengths) for path, type, lengths in paths_of(record)}}

    def enum(self, enum):
        return {"underlying": self.types[underlying(enum)], "enumerators": {name: self.values[name] for name in enum.enumerators}}


def reading_of_view(view):
    parsed, measurements = view.parsed, Measurements(view)
    plain = [each for each in parsed.typedefs.values() if not each.is_callback]
    return {
        "functions": {name: {"signature": each.signature, "group": "", "public": not view.defines}
                      for name, each in parsed.functions.items()},
        "enums": {name: measurements.enum(each) for name, each in parsed.enums.items()},
        "records": {name: measurements.record(each) for name, each in parsed.records.items()},
        "handles": {each.name: each.tag for each in plain if each.tag and each.tag not in parsed.records},
        "aliases": {**view.type_macros,
                    **{each.name: each.type for each in plain if not each.tag or each.tag in parsed.records}},
        "callbacks": {each.name: each.type.replace("(*)", "", 1) for each in parsed.typedefs.values() if each.is_callback},
        "constants": {name: [measurements.types[name], measurements.values[name]] for name in measurements.constants},
    }


def add_groups(view, functions):
    """Sets the group of each function, which depends on its place in the first view that has the function."""
    for header in view.library["own"]:
        here = {name: each.line for name, each in view.parsed.functions.items() if each.header == header}
        if not here:
            continue
        text = pathlib.Path(view.include_dir, header).read_text(encoding="utf-8")
        groups = doc_groups.group_of_lines(text, here.values())
        for name, line in here.items():
            functions[name]["group"] = groups[line]


def public_names(view):
    """Returns {public name: [symbol, symbol with the per-thread default stream or ""]}."""
    plain = view.symbols()
    per_thread = view.per_thread_symbols(plain)
    return {name: [symbol, per_thread.get(name, "")] for name, symbol in plain.items()}


def reading(compiler, include_dir, library):
    merged = {kind: {} for kind in KINDS}
    for defines in views.LIBRARIES[library]["views"]:
        view = views.View(compiler, include_dir, library, defines)
        found = reading_of_view(view)
        add_groups(view, found["functions"])
        if not merged["public_names"]:
            found["public_names"] = public_names(view)
        for kind, entries in found.items():
            merged[kind] = {**entries, **merged[kind]}  # entries of an earlier view have precedence
    return merged


if __name__ == "__main__":
    print(json.dumps(reading(*sys.argv[1:]), indent=1, sort_keys=True))

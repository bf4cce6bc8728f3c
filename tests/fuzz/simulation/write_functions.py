# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Writes C++ tables of the driver's functions and their types from api-specs/, which functions.cpp includes to create the
arguments of any call from random bytes.

usage: write_functions.py REPOSITORY OUTPUT
"""
import re
import sys

import choices_of_pointers as pointers
import annotations
import layouts

MAX_ELEMENTS, MAX_BYTES, MAX_TEXT, MAX_IN_COPY = 8, 2 << 20, 256, 192


class Tables:
    """Rows that refer to each other by index."""

    def __init__(self, library):
        self.library, self.facts = library, library.facts
        self.aliases = {each["name"]: each["type"] for each in self.facts["aliases"]}
        self.enums = {each["name"]: each for each in self.facts["enums"]}
        self.records = library.layouts.records
        self.handles = {each["name"] for each in self.facts["handles"]} | pointers.HANDLE_NUMBERS
        self.callbacks = {each["name"] for each in self.facts["callbacks"]}
        self.types, self.fields, self.values, self.pools, self.indices = [], [], [], [], {}

    def type_of(self, text):
        """Returns the index of a type's row, which is added if it is new."""
        text = text.removeprefix("const ").strip()
        while text in self.aliases and text not in self.handles | self.callbacks | set(layouts.SIZES):
            text = self.aliases[text]
        if text not in self.indices:
            self.indices[text] = len(self.types)
            self.types.append(None)  # a record may point to itself
            self.types[self.indices[text]] = self.row(text)
        return self.indices[text]

    def row(self, text):
        array = re.fullmatch(r"(.*?)\[(\d+)\](.*)", text)
        if array:
            element = array[1].strip() + array[3]
            return ("array", self.library.layouts.size(text), self.type_of(element), int(array[2]), 0)
        if text.endswith("*") or text == "void":
            return ("pointer", 8 if text != "void" else 1, 0, 0, 0)
        if text in self.callbacks:
            return ("callback", 8, sorted(self.callbacks).index(text), 0, 0)
        if text in self.handles:
            return ("handle", self.library.layouts.size(text), self.pool(pointers.SAME_POOL.get(text, text)), 0, 0)
        if text in self.enums:
            enumerators = [each["value"] for each in self.enums[text]["enumerators"]]
            self.values += enumerators
            first = len(self.values) - len(enumerators)
            return ("enumerator", layouts.SIZES[self.enums[text]["underlying"]], first, len(enumerators), 0)
        if text in self.records:
            return self.record(text, self.records[text])
        return ("real" if text in ("float", "double") else "number", self.library.layouts.size(text), 0, 0, 0)

    def pool(self, name):
        if name not in self.pools:
            self.pools.append(name)
        return self.pools.index(name)

    def record(self, name, record):
        """Returns the row of a record with the fields of nested records. Fields of a union have the tag that selects them."""
        rows = list(self.flattened(name, record, 0, None, 0))
        first = len(self.fields)
        self.fields += rows
        return ("record", record["size"], first, len(rows), self.pool(name))

    def flattened(self, name, record, base, tag, max_value):
        if re.search("MEMCPY|CUmemcpy3DOperand|CUextent3D|CUoffset3D", name):
            max_value = MAX_IN_COPY
        tag_name, members = pointers.TAGS.get(name, (None, {}))
        if record.get("union") and tag_name is None:
            yield from self.any_member(record, base, tag, max_value)
            return
        tag_field = next((each for each in record["fields"] if each.get("name") == tag_name), None)
        tagged = {member: [self.enumerator(each) for each, named in members.items() if named == member]
                  for member in members.values()}
        for field in record["fields"]:
            for part in self.members(field) if tag_field else [field]:
                offset = base + part["offset"]
                if part.get("name") in tagged:
                    for value in tagged[part["name"]]:
                        yield from self.part(part, record, base, offset, (base + tag_field["offset"], value), max_value)
                elif not self.is_in_union(part, record, tag_field):
                    yield from self.part(part, record, base, offset, tag, max_value)

    def members(self, field):
        """Returns the members of a named or anonymous union that a tag selects from, or the field itself."""
        if not field.get("record", {}).get("union"):
            return [field]
        return [part | {"offset": field["offset"] + part["offset"], "in_union": True} for part in field["record"]["fields"]]

    @staticmethod
    def is_in_union(part, record, tag_field):
        return tag_field is not None and part is not tag_field and (part.get("in_union") or record.get("union"))

    def part(self, field, record, base, offset, tag, max_value):
        nested = field.get("record")
        if field.get("name", "").startswith("reserved") and "type" in field and "[" not in field["type"]:
            return  # reserved fields must be zero
        if nested is None and self.library.layouts.record_of(field["type"]) and tag:
            nested = self.records[self.library.layouts.record_of(field["type"])]
        if nested is None:
            yield self.field(field, record, base, offset, tag, max_value)
        else:
            for each in self.flattened(nested.get("name", ""), nested, offset, tag, max_value):
                if not tag or each[0] != tag[0]:
                    yield each

    def any_member(self, union, base, tag, max_value):
        """Yields the members of a union without a tag: all of them, or only the first within a tagged member."""
        members = union["fields"][:1] if tag else union["fields"]
        for index, each in enumerate(members):
            yield from self.part(each, union, base, base + each["offset"], tag or (-1 - len(members), index), max_value)

    def field(self, field, record, base, offset, tag, max_value):
        name, kind = field["name"], field["type"]
        tag_offset, tag_value = tag or (-1, 0)
        if not kind.endswith("*"):
            counts = [each for each, count in pointers.ELEMENTS.items() if count == name]
            is_count = counts and any(each["name"] in counts for each in record["fields"] if "name" in each)
            limit = MAX_ELEMENTS if is_count else max_value
            return (offset, self.type_of(kind), "value", tag_offset, tag_value, 0, 0, limit)
        pointee = kind.removesuffix("*").strip()
        if name in pointers.ELEMENTS:
            count = pointers.ELEMENTS[name]
            if count == 1:
                return (offset, self.type_of(pointee), "array", tag_offset, tag_value, -1, 0, 0)
            counting = next(each for each in record["fields"] if each.get("name") == count)
            size = self.library.layouts.size(counting["type"])
            return (offset, self.type_of(pointee), "array", tag_offset, tag_value, base + counting["offset"], size, 0)
        passing = {pointers.KERNEL_ARGUMENTS: "kernel_arguments", pointers.KERNEL_EXTRA: "kernel_extra"}.get(name)
        passing = passing or ("bytes" if name in pointers.BYTES else "null")
        return (offset, self.type_of("void"), passing, tag_offset, tag_value, 0, 0, 0)

    def enumerator(self, name):
        return next(each["value"] for enum in self.facts["enums"] for each in enum["enumerators"] if each["name"] == name)


def parameter(tables, symbol, each, function, annotation):
    """Returns (type, how it is passed, direction, index of the length, length, maximum, optional, retained)."""
    name, kind = each["name"], each["type"].removesuffix("const").strip()
    names = [other["name"] for other in function["parameters"]]
    direction, shape, *rest = (annotation or "in value").split()
    length = re.search(r"\((\w+)\)", shape)
    index = names.index(length[1]) if length and length[1] in names else -1
    constant = int(length[1]) if length and length[1].isdigit() else 0
    pointee = kind.removesuffix("*").strip()
    is_pointer = kind.endswith("*")

    def row(type_text, passing, max_value=0):
        is_retained = symbol.startswith(pointers.RETAINING) and passing == "option_values"
        return (tables.type_of(type_text), passing, direction, index, constant, max_value, bool(rest), is_retained)

    if not is_pointer:
        return row(kind, "value", max_value_of(tables, name, function, symbol))
    if name in pointers.OPTION_VALUES:
        index = names.index(pointers.OPTION_VALUES[name])
        constant = int(name == "libraryOptionValues")
        return row("void *", "option_values")
    if name in pointers.OPAQUE and shape == "opaque" and (direction == "in" or pointers.OPAQUE[name] != "shared_handle"):
        return row("void", pointers.OPAQUE[name])
    if kind == "const char *":
        return row("char", "path" if name in pointers.PATHS else "text")
    if pointee == "void" and symbol.startswith("cuLinkAddData"):
        return row("void", "image")
    if shape == "opaque":
        return row("void", "bytes")
    if shape.startswith("buffer") and pointee.removeprefix("const ") == "void":
        return row("void", "bytes")
    if shape.startswith(("array", "buffer", "string")):
        return row(pointee, "array")
    if name == "pp":
        return row("CUdeviceptr", "object")  # host memory has the same address on host and device
    return row(pointee, "object", max_value_of(tables, name, function, symbol))


def max_value_of(tables, name, function, symbol):
    """Returns the largest number for which a call can receive all objects that the number counts."""
    lines = [tables.library.annotation(symbol, each) for each in function["parameters"]]
    shapes = [line.split()[1] for line in lines if line is not None]
    limits = [limit for shape, limit in (("array", MAX_ELEMENTS), ("string", MAX_TEXT), ("buffer", MAX_BYTES))
              if f"{shape}({name})" in shapes]
    return min(limits + ([pointers.MAX_VALUES[name]] if name in pointers.MAX_VALUES else []), default=0)


def braces(row):
    return "{" + ", ".join(str(each).lower() if isinstance(each, bool) else str(each) for each in row) + "},\n"


def main(repository, output):
    library = annotations.Library(repository, "driver")
    tables = Tables(library)
    address_pool = tables.pool("CUdeviceptr_v2")
    assert address_pool == 0
    parameters, functions = [], []
    for symbol, function in library.functions.items():
        first = len(parameters)
        for each in function["parameters"]:
            kind, passing, direction, *rest = parameter(tables, symbol, each, function, library.annotation(symbol, each))
            parameters.append((kind, f"Passing::{passing}", f"Direction::{direction}", *rest))
        functions.append((f'"{symbol}"', f"thunk<decltype(sim_{symbol})>", first, len(function["parameters"])))
    callbacks = (f"callback<{each}>" for each in sorted(tables.callbacks))
    with open(output, "w", encoding="utf-8") as file:
        file.write("// Written by write_functions.py.\n")
        for kind, name, rows in (
                ("Type", "types", (braces((f"Kind::{kind}", *rest)) for kind, *rest in tables.types)),
                ("Field", "fields", (braces((offset, kind, f"Passing::{passing}", *rest))
                                     for offset, kind, passing, *rest in tables.fields)),
                ("long long", "values", (f"{each}," for each in tables.values)),
                ("Parameter", "parameters", map(braces, parameters)),
                ("Function", "functions", map(braces, functions))):
            file.write(f"constexpr {kind} all_{name}[] = {{\n{''.join(rows)}}};\n")
        file.write(f"constexpr void* (*all_callbacks[])() = {{{', '.join(callbacks)}}};\n")
        file.write(f"constexpr std::size_t number_of_pools = {len(tables.pools)};\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Writes what api-specs/ says of the driver's functions and their types, as C++ tables to be included by functions.cpp: enough
to make the arguments of any call from random bytes.

usage: write_functions.py REPOSITORY OUTPUT
"""
import re
import sys

import choices_of_pointers as pointers
import judgements
import layouts

MOST_ELEMENTS, MOST_BYTES, MOST_TEXT, MOST_IN_COPY = 8, 2 << 20, 256, 192


class Tables:
    """Rows that refer to each other by their places."""

    def __init__(self, library):
        self.library, self.facts = library, library.facts
        self.aliases = {each["name"]: each["type"] for each in self.facts["aliases"]}
        self.enums = {each["name"]: each for each in self.facts["enums"]}
        self.records = library.layouts.records
        self.handles = {each["name"] for each in self.facts["handles"]} | pointers.HANDLE_NUMBERS
        self.callbacks = {each["name"] for each in self.facts["callbacks"]}
        self.types, self.fields, self.values, self.pools, self.known = [], [], [], [], {}

    def type_of(self, text):
        """The place of a type's row."""
        text = text.removeprefix("const ").strip()
        while text in self.aliases and text not in self.handles | self.callbacks | set(layouts.SIZES):
            text = self.aliases[text]
        if text not in self.known:
            self.known[text] = len(self.types)
            self.types.append(None)  # a record may point to itself
            self.types[self.known[text]] = self.row(text)
        return self.known[text]

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
            living = [each["value"] for each in self.enums[text]["enumerators"]]
            self.values += living
            return ("enumerator", layouts.SIZES[self.enums[text]["underlying"]], len(self.values) - len(living), len(living), 0)
        if text in self.records:
            return self.record(text, self.records[text])
        return ("real" if text in ("float", "double") else "number", self.library.layouts.size(text), 0, 0, 0)

    def pool(self, name):
        if name not in self.pools:
            self.pools.append(name)
        return self.pools.index(name)

    def record(self, name, record):
        """A record with the fields of all that it contains, those of a union with the tag that they hold under."""
        rows = list(self.flattened(name, record, 0, None, 0))
        first = len(self.fields)
        self.fields += rows
        return ("record", record["size"], first, len(rows), self.pool(name))

    def flattened(self, name, record, base, tag, most):
        if re.search("MEMCPY|CUmemcpy3DOperand|CUextent3D|CUoffset3D", name):
            most = MOST_IN_COPY
        tag_name, members = pointers.TAGS.get(name, (None, {}))
        if record.get("union") and tag_name is None:
            yield from self.any_member(record, base, tag, most)
            return
        tag_field = next((each for each in record["fields"] if each.get("name") == tag_name), None)
        tagged = {member: [self.enumerator(each) for each, named in members.items() if named == member] for member in members.values()}
        for field in record["fields"]:
            for part in self.members(field) if tag_field else [field]:
                offset = base + part["offset"]
                if part.get("name") in tagged:
                    for value in tagged[part["name"]]:
                        yield from self.part(part, record, base, offset, (base + tag_field["offset"], value), most)
                elif not self.is_in_union(part, record, tag_field):
                    yield from self.part(part, record, base, offset, tag, most)

    def members(self, field):
        """The members of a union that a tag tells apart, which may have a name or none."""
        if not field.get("record", {}).get("union"):
            return [field]
        return [part | {"offset": field["offset"] + part["offset"], "in_union": True} for part in field["record"]["fields"]]

    @staticmethod
    def is_in_union(part, record, tag_field):
        return tag_field is not None and part is not tag_field and (part.get("in_union") or record.get("union"))

    def part(self, field, record, base, offset, tag, most):
        nested = field.get("record")
        if field.get("name", "").startswith("reserved") and "type" in field and "[" not in field["type"]:
            return  # stays zero, as it must
        if nested is None and self.library.layouts.record_of(field["type"]) and tag:
            nested = self.records[self.library.layouts.record_of(field["type"])]
        if nested is None:
            yield self.field(field, record, base, offset, tag, most)
        else:
            for each in self.flattened(nested.get("name", ""), nested, offset, tag, most):
                if not tag or each[0] != tag[0]:
                    yield each

    def any_member(self, union, base, tag, most):
        """Where nothing tells which member holds: each in its turn, or within what a tag selects the first."""
        members = union["fields"][:1] if tag else union["fields"]
        for index, each in enumerate(members):
            yield from self.part(each, union, base, base + each["offset"], tag or (-1 - len(members), index), most)

    def field(self, field, record, base, offset, tag, most):
        name, kind = field["name"], field["type"]
        tag_offset, tag_value = tag or (-1, 0)
        if not kind.endswith("*"):
            counts = [each for each, count in pointers.ELEMENTS.items() if count == name]
            limit = MOST_ELEMENTS if counts and any(each["name"] in counts for each in record["fields"] if "name" in each) else most
            return (offset, self.type_of(kind), "value", tag_offset, tag_value, 0, 0, limit)
        pointee = kind.removesuffix("*").strip()
        if name in pointers.ELEMENTS:
            count = pointers.ELEMENTS[name]
            if count == 1:
                return (offset, self.type_of(pointee), "array", tag_offset, tag_value, -1, 0, 0)
            counting = next(each for each in record["fields"] if each.get("name") == count)
            size = self.library.layouts.size(counting["type"])
            return (offset, self.type_of(pointee), "array", tag_offset, tag_value, base + counting["offset"], size, 0)
        how = {pointers.KERNEL_ARGUMENTS: "kernel_arguments", pointers.KERNEL_EXTRA: "kernel_extra"}.get(name)
        how = how or ("bytes" if name in pointers.BYTES else "null")
        return (offset, self.type_of("void"), how, tag_offset, tag_value, 0, 0, 0)

    def enumerator(self, name):
        return next(each["value"] for enum in self.facts["enums"] for each in enum["enumerators"] if each["name"] == name)


def parameter(tables, symbol, each, function, judgement):
    """(type, how it is passed, direction, place of the length, length, most, optional, kept)"""
    name, kind = each["name"], each["type"].removesuffix("const").strip()
    names = [other["name"] for other in function["parameters"]]
    direction, shape, *rest = (judgement or "in value").split()
    length = re.search(r"\((\w+)\)", shape)
    place = names.index(length[1]) if length and length[1] in names else -1
    constant = int(length[1]) if length and length[1].isdigit() else 0
    pointee = kind.removesuffix("*").strip()
    is_pointer = kind.endswith("*")

    def row(type_text, how, most=0):
        is_kept = symbol.startswith(pointers.KEEPING) and how == "option_values"
        return (tables.type_of(type_text), how, direction, place, constant, most, bool(rest), is_kept)

    if not is_pointer:
        return row(kind, "value", most_of(tables, name, function, symbol))
    if name in pointers.OPTION_VALUES:
        place = names.index(pointers.OPTION_VALUES[name])
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
        return row("CUdeviceptr", "object")  # host memory has one address for both sides
    return row(pointee, "object", most_of(tables, name, function, symbol))


def most_of(tables, name, function, symbol):
    """The largest number that leaves everything that it counts within what a call is given."""
    lines = tables.library.judgements(symbol)
    shapes = [lines[each["name"]].split()[1] for each in function["parameters"] if each["name"] in lines]
    limits = [limit for shape, limit in (("array", MOST_ELEMENTS), ("string", MOST_TEXT), ("buffer", MOST_BYTES))
              if f"{shape}({name})" in shapes]
    return min(limits + ([pointers.MOST[name]] if name in pointers.MOST else []), default=0)


def braces(row):
    return "{" + ", ".join(str(each).lower() if isinstance(each, bool) else str(each) for each in row) + "},\n"


def main(repository, output):
    library = judgements.Library(repository, "driver")
    tables = Tables(library)
    address_pool = tables.pool("CUdeviceptr_v2")
    assert address_pool == 0
    parameters, functions = [], []
    for symbol, function in library.functions.items():
        lines, first = library.judgements(symbol), len(parameters)
        for each in function["parameters"]:
            kind, how, direction, *rest = parameter(tables, symbol, each, function, lines.get(each["name"]))
            parameters.append((kind, f"Passing::{how}", f"Direction::{direction}", *rest))
        functions.append((f'"{symbol}"', f"thunk<decltype(sim_{symbol})>", first, len(function["parameters"])))
    callbacks = (f"callback<{each}>" for each in sorted(tables.callbacks))
    with open(output, "w", encoding="utf-8") as file:
        file.write("// Written by write_functions.py.\n")
        for kind, name, rows in (
                ("Type", "types", (braces((f"Kind::{kind}", *rest)) for kind, *rest in tables.types)),
                ("Field", "fields", (braces((offset, kind, f"Passing::{how}", *rest)) for offset, kind, how, *rest in tables.fields)),
                ("long long", "values", (f"{each}," for each in tables.values)),
                ("Parameter", "parameters", map(braces, parameters)),
                ("Function", "functions", map(braces, functions))):
            file.write(f"constexpr {kind} all_{name}[] = {{\n{''.join(rows)}}};\n")
        file.write(f"constexpr void* (*all_callbacks[])() = {{{', '.join(callbacks)}}};\n")
        file.write(f"constexpr std::size_t number_of_pools = {len(tables.pools)};\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

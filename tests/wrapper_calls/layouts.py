# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Computes which bytes of a record hold fields, and their initial values, from api.json and overrides.json."""
import re

SIZES = {"char": 1, "unsigned char": 1, "signed char": 1, "short": 2, "unsigned short": 2, "int": 4, "unsigned int": 4,
         "float": 4, "uint32_t": 4, "long": 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8, "size_t": 8,
         "uint64_t": 8, "double": 8}


class Layouts:
    def __init__(self, facts, initial_values):
        self.records = {each["name"]: each for each in facts["records"]}
        self.aliases = {each["name"]: each["type"] for each in facts["aliases"]}
        self.sizes = dict(SIZES) | {each["name"]: SIZES[each["underlying"]] for each in facts["enums"]}
        self.sizes |= {each["name"]: 8 for kind in ("handles", "callbacks") for each in facts[kind]}
        # An initial value is a number or the name of a constant.
        values = {each["name"]: str(each["value"]) for each in facts["constants"]}
        values |= {each["name"]: str(each["value"]) for enum in facts["enums"] for each in enum["enumerators"]}
        self.initial_values = {record: {field: values.get(value, value) for field, value in fields.items()}
                               for record, fields in initial_values.items()}

    def record_of(self, kind):
        """Returns the name of the record that a type denotes, or None."""
        while kind in self.aliases and kind not in self.sizes:
            kind = self.aliases[kind]
        return kind if kind in self.records else None

    def padding(self, name):
        """Returns [(offset, size)] of the bytes that hold no field."""
        held = set()
        for offset, size, _ in self.fields(self.records[name], name):
            held |= set(range(offset, offset + size))
        runs = []
        for each in range(self.records[name]["size"]):
            if each not in held:
                if runs and sum(runs[-1]) == each:
                    runs[-1] = (runs[-1][0], runs[-1][1] + 1)
                else:
                    runs.append((each, 1))
        return runs

    def starts(self, name):
        """Returns [(offset, value)] of the fields whose initial value is not zero. All have four bytes."""
        starts = [each for each in self.fields(self.records[name], name) if each[2] != "0"]
        assert all(size == 4 for _, size, _ in starts), f"{name} has an initial value that is not an int"
        return [(offset, value) for offset, _, value in starts]

    def fields(self, record, name=""):
        """Yields (offset, size, initial value) of each field that is not a struct. A union is one field."""
        if record.get("union"):
            yield 0, record["size"], "0"
            return
        for field in record["fields"]:
            initial = self.initial_values.get(name, {}).get(field.get("name"), "0")
            if "record" in field:
                parts = self.fields(field["record"])
            else:
                parts = self.parts(field["type"], initial)
            yield from ((field["offset"] + offset, size, value) for offset, size, value in parts)

    def parts(self, kind, initial):
        array = re.fullmatch(r"(.*?)\[(\d+)\](.*)", kind)
        if array:
            element = list(self.parts(array[1].strip() + array[3], initial))
            size = self.size(array[1].strip() + array[3])
            for index in range(int(array[2])):
                yield from ((index * size + offset, part, value) for offset, part, value in element)
        elif self.record_of(kind):
            yield from self.fields(self.records[self.record_of(kind)], self.record_of(kind))
        else:
            yield 0, self.size(kind), initial

    def size(self, kind):
        kind = kind.removeprefix("const ").strip()
        array = re.fullmatch(r"(.*?)\[(\d+)\](.*)", kind)
        if array:
            return int(array[2]) * self.size(array[1].strip() + array[3])
        if kind.endswith("*") or "(*" in kind:
            return 8
        if kind in self.sizes:
            return self.sizes[kind]
        if kind in self.records:
            return self.records[kind]["size"]
        return self.size(self.aliases[kind])

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Computes which bytes of a record hold fields, and their initial values, from api.json and overrides.json."""
import re
import struct

SIZES = {"bool": 1, "char": 1, "unsigned char": 1, "signed char": 1, "int8_t": 1, "uint8_t": 1, "short": 2, "unsigned short": 2,
         "int16_t": 2, "uint16_t": 2, "int": 4, "unsigned int": 4, "float": 4, "int32_t": 4, "uint32_t": 4, "long": 8,
         "unsigned long": 8, "long long": 8, "unsigned long long": 8, "size_t": 8, "int64_t": 8, "uint64_t": 8, "double": 8}


class Layouts:
    def __init__(self, facts, used, initial_values):
        """`facts` are those of the library, `used` those of the libraries whose types it uses."""
        self.records, self.aliases, self.sizes = {}, {}, dict(SIZES)
        for each_facts in (*used, facts):
            self.records |= {each["name"]: each for each in each_facts["records"]}
            self.aliases |= {each["name"]: each["type"] for each in each_facts["aliases"]}
            self.sizes |= {each["name"]: SIZES[each["underlying"]] for each in each_facts["enums"]}
            self.sizes |= {each["name"]: 8 for kind in ("handles", "callbacks") for each in each_facts[kind]}
        # An initial value is a number, the name of a constant, or "sizeof" for the size of the record.
        values = {each["name"]: str(each["value"]) for each in facts["constants"]}
        values |= {each["name"]: str(each["value"]) for enum in facts["enums"] for each in enum["enumerators"]}
        self.initial_values = {record: {field: values.get(value, value) if value != "sizeof" else str(self.records[record]["size"])
                                        for field, value in fields.items()}
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
        """Returns [(offset, size, bytes as an unsigned number)] of the fields whose initial value is not zero."""
        return [(offset, size, self.bits(value, size)) for offset, size, value in self.fields(self.records[name], name)
                if value != "0"]

    def bits(self, value, size):
        """Returns the bytes of an initial value as an unsigned number. A value with a point is that of a floating-point field."""
        if "." in value:
            return int.from_bytes(struct.pack("<f" if size == 4 else "<d", float(value)), "little")
        return int(value) % (1 << 8 * size)

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

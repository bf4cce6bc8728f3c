# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Reads from api-specs/ how a wrapper passes each parameter of a C function, as docs/specs.md defines it. Uses no code and no
output of the generator."""
import fnmatch
import re

import bound
import layouts
import spec

PASSED, OUT, INOUT = "pob"  # as in function.hpp
ROLES = {"in": PASSED, "out": OUT, "inout": INOUT}


class Library(spec.Spec):
    """The functions of a library that are bound, with their annotations."""

    def __init__(self, repository, library):
        super().__init__(repository, library)
        self.facts = bound.facts(repository, library)
        self.functions = {each["name"]: each for each in self.facts["functions"]}
        for each in self.functions.values():
            for index, parameter in enumerate(each["parameters"]):
                parameter.setdefault("name", f"arg{index}")
        self.facts["public_names"] = {name: meanings for name, meanings in self.facts["public_names"].items()
                                      if meanings[-1]["symbol"] in self.functions}
        self.overrides = bound.read(repository, library, "overrides.json")
        self.settings = bound.read(repository, library, "library.json")
        used = [bound.facts(repository, each) for each in bound.used_libraries(repository, library)]
        self.layouts = layouts.Layouts(self.facts, used, self.overrides.get("initial_values", {}))
        aliases = {each["name"]: each["type"] for each in self.facts["aliases"]}
        status = self.settings["status"]["type"]
        for name, each in self.functions.items():  # an integer that is the status
            if any(fnmatch.fnmatchcase(name, pattern) for pattern in self.settings["status"].get("integer_functions", [])):
                each["returns"] = status
        self.statuses = {status} | {name for name, aliased in aliases.items() if aliased == status}

    def names(self, per_thread):
        """Returns {C++ name: (ABI symbol, its adapter or None)} in one of the two compilation modes."""
        found = {name: (symbol, self.adapters.get(name)) for name, symbol in self.wrappers().items()}
        if per_thread:
            for name, meanings in self.facts["public_names"].items():
                found[name] = (meanings[-1].get("per_thread", meanings[-1]["symbol"]), None)
            # The vendor's header renames the adapted function to the adapter.
            adapted = {adapter["calls"]: adapter for name, adapter in self.adapters.items() if name == adapter["calls"] + "_ptsz"}
            for name, (symbol, adapter) in found.items():
                found[name] = (symbol, adapter or adapted.get(symbol))
        return found

    def group(self, symbol):
        return self.functions[symbol].get("group") or self.overrides.get("groups", {}).get(symbol, "in_no_group")

    def annotation(self, symbol, parameter):
        """Returns the annotation of a parameter, or None. Its key is the symbol or the longest prefix before a '_' that has a line
        for the parameter; otherwise the pointer's declaration or name, for all functions of the library."""
        name = parameter["name"]
        lines = self.overrides.get("functions", {})
        keys = [key for key in lines if (symbol == key or symbol.startswith(key + "_")) and name in lines[key]]
        if keys:
            return lines[max(keys, key=len)][name]
        if not parameter["type"].removesuffix("const").strip().endswith("*"):
            return None
        rules = {without_blanks(key): text for key, text in self.overrides.get("parameters", {}).items()}
        return rules.get(without_blanks(f"{parameter['type']} {name}"), rules.get(name))

    def roles(self, symbol):
        return "".join(role(symbol, each, self.annotation(symbol, each)) for each in self.functions[symbol]["parameters"])


def without_blanks(declaration):
    """Returns a C declaration without the blanks around asterisks."""
    return re.sub(r" *\* *", "*", declaration)


def role(symbol, parameter, annotation):
    """Returns the letter of a parameter. OUT and INOUT are pointers to one object that the wrapper provides."""
    kind = parameter["type"].removesuffix("const").strip()
    if annotation is None:
        is_read = not kind.endswith("*") or re.fullmatch(r"const \w+ \*", kind)
        assert is_read, f"{symbol}: no annotation on the pointer {parameter['name']}"
        return PASSED
    direction, shape = annotation.split()[:2]
    return ROLES[direction] if shape == "value" else PASSED


def pointee(kind):
    assert kind.endswith("*"), f"{kind} is not a pointer"
    return kind.removesuffix("*").strip()

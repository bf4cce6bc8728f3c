# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""What a wrapper makes of each parameter of a C function, read from api-specs/ as docs/specs.md says; shares nothing with the
generator and looks at nothing that it wrote."""
import re

import bound
import layouts
import spec

PASSED, OUT, INOUT = "pob"  # as in function.hpp
ROLES = {"in": PASSED, "out": OUT, "inout": INOUT}


class Library(spec.Spec):
    """What is bound of a library, by api.json and the judgements on it."""

    def __init__(self, repository, library):
        super().__init__(repository, library)
        self.facts = bound.facts(repository, library)
        self.functions = {each["name"]: each for each in self.facts["functions"]}
        self.facts["public_names"] = {name: meanings for name, meanings in self.facts["public_names"].items()
                                      if meanings[-1]["symbol"] in self.functions}
        self.overrides = bound.read(repository, library, "overrides.json")
        self.settings = bound.read(repository, library, "library.json")
        self.layouts = layouts.Layouts(self.facts, self.overrides.get("initial_values", {}))
        aliases = {each["name"]: each["type"] for each in self.facts["aliases"]}
        status = self.settings["status"]["type"]
        self.statuses = {status} | {name for name, aliased in aliases.items() if aliased == status}

    def names(self, per_thread):
        """{C++ name: (ABI symbol, adapter that it goes through or None)}, in one of the two modes of compiling."""
        found = {name: (symbol, self.adapters.get(name)) for name, symbol in self.wrappers().items()}
        if per_thread:
            for name, meanings in self.facts["public_names"].items():
                found[name] = (meanings[-1].get("per_thread", meanings[-1]["symbol"]), None)
            # The vendor's header renames what such a function adapts to it.
            adapted = {adapter["calls"]: adapter for name, adapter in self.adapters.items() if name == adapter["calls"] + "_ptsz"}
            for name, (symbol, adapter) in found.items():
                found[name] = (symbol, adapter or adapted.get(symbol))
        return found

    def group(self, symbol):
        return self.functions[symbol].get("group") or self.overrides.get("groups", {}).get(symbol, "in_no_group")

    def judgements(self, symbol):
        """The lines on that function's parameters: of the longest key that is the symbol or that it extends by _..."""
        lines = self.overrides["functions"]
        keys = [key for key in lines if symbol == key or symbol.startswith(key + "_")]
        return lines[max(keys, key=len)] if keys else {}

    def roles(self, symbol):
        judgements = self.judgements(symbol)
        return "".join(role(symbol, each, judgements.get(each["name"])) for each in self.functions[symbol]["parameters"])


def role(symbol, parameter, judgement):
    """A parameter's letter: OUT and INOUT are pointers to one object that the wrapper does not take."""
    kind = parameter["type"].removesuffix("const").strip()
    if judgement is None:
        is_read = not kind.endswith("*") or re.fullmatch(r"const \w+ \*", kind)
        assert is_read, f"{symbol}: nothing decides {parameter['name']}"
        return PASSED
    direction, shape = judgement.split()[:2]
    return ROLES[direction] if shape == "value" else PASSED


def pointee(kind):
    assert kind.endswith("*"), f"{kind} points to nothing"
    return kind.removesuffix("*").strip()

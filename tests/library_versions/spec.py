# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Reads from api-specs/ the functions of each release and their cubind names. Shares no code with the generator."""
import fnmatch
import json
import pathlib


def number(release):
    """Returns the number of a release in the form of cuDriverGetVersion, 12040 for "12.4", and of a library's own version,
    2019003 for "2.19.3"."""
    parts = [int(each) for each in release.split(".")]
    return 1000 * parts[0] + 10 * parts[1] if len(parts) == 2 else 1000000 * parts[0] + 1000 * parts[1] + parts[2]


class Spec:
    def __init__(self, repository, library):
        folder = pathlib.Path(repository, "api-specs", library)
        self.facts = json.loads((folder / "api.json").read_text(encoding="utf-8"))
        self.settings = json.loads((folder / "library.json").read_text(encoding="utf-8"))
        self.major = self.settings["loading"].get("major", 0)
        overrides = json.loads((folder / "overrides.json").read_text(encoding="utf-8"))
        self.adapters = overrides.get("adapters", {})
        # Functions and variables that no library exports are not bound.
        self.facts.setdefault("variables", [])
        symbols = self.facts["functions"] + self.facts["variables"]
        left_out = {each["name"] for each in symbols for pattern in overrides.get("not_exported", [])
                    if fnmatch.fnmatchcase(each["name"], pattern)}
        for kind in ("functions", "variables"):
            self.facts[kind] = [each for each in self.facts[kind] if each["name"] not in left_out]
        self.facts["public_names"] = {name: meanings for name, meanings in self.facts["public_names"].items()
                                      if meanings[-1]["symbol"] not in left_out}
        for each in self.facts["functions"]:  # declared before the library exports them
            each["since"] = overrides.get("exported_since", {}).get(each["name"], each["since"])
        # The last release is a future one that has the functions of the newest known release.
        self.product = "CUDA" if "release" in self.settings else self.settings["version"]["product"]
        self.future = self.facts["releases"][-1].split(".")[0] + (".9" if self.product == "CUDA" else ".999.0")
        self.releases = self.facts["releases"] + [self.future]
        self.functions = {each["name"]: each for each in self.facts["functions"]}

    def has(self, entry, release):
        """Returns whether an entry of api.json exists in a release."""
        if release in entry.get("absent", []) or number(release) < number(entry["since"]):
            return False
        return "removed" not in entry or number(release) < number(entry["removed"])

    def bits(self, *entries):
        """Returns a bit mask: bit i is set if releases[i] has one of the entries."""
        return sum(1 << index for index, release in enumerate(self.releases)
                   if any(self.has(each, release) for each in entries))

    def symbols(self, release):
        return [name for name, entry in self.functions.items() if self.has(entry, release)]

    def is_bound(self, entry):
        """Returns whether a release of the bound major, or any release, has an entry of api.json."""
        return "removed" not in entry or number(entry["removed"]) > self.first_number_of_major()

    def bound_functions(self):
        return [name for name, entry in self.functions.items() if self.is_bound(entry)]

    def bound_variables(self):
        """Returns the entries of the variables that are bound."""
        return [entry for entry in self.facts["variables"] if self.is_bound(entry)]

    def first_number_of_major(self):
        return self.major * (1000 if self.product == "CUDA" else 1000000)

    def returns_status(self, symbol):
        status = self.settings["status"]["type"]
        statuses = {status} | {each["name"] for each in self.facts["aliases"] if each["type"] == status}
        integers = self.settings["status"].get("integer_functions", [])
        return self.functions[symbol]["returns"] in statuses or any(fnmatch.fnmatchcase(symbol, each) for each in integers)

    def missing_value(self, symbol):
        """Returns the C++ expression of what a function without a status returns if it is missing."""
        values = self.settings["status"].get("missing_values", {})
        text = values.get(symbol, values.get(self.functions[symbol]["returns"], "0"))
        sign, number = ("-", text[1:]) if text.startswith("-") else ("", text)
        return sign + (number if number.isdigit() else f"static_cast<int>(library::{number})")

    def wrappers(self):
        """Returns {C++ name: ABI symbol} of every function, public name and adapter."""
        functions = self.bound_functions()
        current = {name: meanings[-1]["symbol"] for name, meanings in self.facts["public_names"].items()
                   if meanings[-1]["symbol"] in functions}
        names = dict(current)
        for symbol in functions:
            is_shadowed = current.get(symbol, symbol) != symbol
            name = symbol + "_v1" if is_shadowed else symbol
            assert names.setdefault(name, symbol) == symbol, f"{name} would be {names[name]} and {symbol}"
        for name, adapter in self.adapters.items():
            assert names.setdefault(name, adapter["calls"]) == adapter["calls"], name
        return dict(sorted(names.items()))

    def names(self):
        """Returns {name: entries of api.json} of functions, public names, types, enumerators, constants and variables."""
        names = {}
        for kind in ("functions", "enums", "records", "opaque_records", "handles", "aliases", "callbacks", "constants",
                     "variables"):
            for entry in self.facts.get(kind, []):
                names.setdefault(entry["name"], []).append(entry)
                for enumerator in entry.get("enumerators", []):
                    inherited = {key: entry[key] for key in ("since", "removed") if key in entry}
                    names.setdefault(enumerator["name"], []).append(inherited | enumerator)
        for name, meanings in self.facts["public_names"].items():
            life = {"since": meanings[0]["since"]} | {key: meanings[-1][key] for key in ("removed",) if key in meanings[-1]}
            names.setdefault(name, []).append(life)
        return dict(sorted(names.items()))

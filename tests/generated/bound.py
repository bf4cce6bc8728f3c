# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the bound entries from the text of api-specs/ and generated/."""
import json
import pathlib
import re


def number(release):
    """Returns a release such as "13.4" as a comparable tuple."""
    return tuple(int(part) for part in release.split("."))


def read(repository, library, name):
    return json.loads(pathlib.Path(repository, "api-specs", library, name).read_text(encoding="utf-8"))


def facts(repository, library):
    """Returns api.json with only the entries of the bound major. A moved enumerator is only in its newest enum."""
    found = read(repository, library, "api.json")
    first = (read(repository, library, "library.json")["loading"].get("major", 0), 0)

    def is_bound(entry):
        return "removed" not in entry or number(entry["removed"]) > first

    for key in ("functions", "enums", "records", "handles", "aliases", "callbacks", "constants"):
        found[key] = [entry for entry in found[key] if is_bound(entry)]
    for enum in found["enums"]:
        enum["enumerators"] = [each for each in enum["enumerators"] if is_bound(each)]
    current = {each["name"] for enum in found["enums"] if "removed" not in enum for each in enum["enumerators"]}
    for enum in found["enums"]:
        if "removed" in enum:
            enum["enumerators"] = [each for each in enum["enumerators"] if each["name"] not in current]
    return found


def text_of(repository, library, folder, suffix):
    files = sorted(pathlib.Path(repository, "generated", library, folder).rglob("*" + suffix))
    return "\n".join(each.read_text(encoding="utf-8") for each in files)


def entry_points(repository, library):
    """Returns {name of the wrapper: ABI symbol}."""
    text = pathlib.Path(repository, "generated", library, "src", "entry_points.cpp").read_text(encoding="utf-8")
    return dict(re.findall(r'EntryPoint (\w+)\{\s*\.symbol = "(\w+)"', text))


def declared_wrappers(repository, library):
    text = re.sub(r"///[^\n]*", "", text_of(repository, library, "include", ".hpp"))
    return set(re.findall(r"\b(\w+)\((?:[^;{}]|\{\})*\) noexcept;", text))


def defined_wrappers(repository, library):
    text = text_of(repository, library, "src", ".cpp")
    return set(re.findall(r"^[^\n;{}]*?\b(\w+)\([^;{}]*\) noexcept \{", text, flags=re.M))


def aliases(repository, library):
    """Returns the public names that are references to a wrapper."""
    text = text_of(repository, library, "include", ".hpp")
    return set(re.findall(r"inline constexpr auto& (\w+)\s+=", text))


def enumerators(repository, library):
    """Returns the enumerators that types.hpp defines."""
    text = pathlib.Path(repository, "generated", library, "include", "cubind", library, "types.hpp").read_text(encoding="utf-8")
    return {name for body in re.findall(r"^enum \w+ : [\w ]+ \{(.*?)^\};", text, flags=re.M | re.S)
            for name in re.findall(r"^\s*(\w+) =", body, flags=re.M)}

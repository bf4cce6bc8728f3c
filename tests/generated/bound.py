# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""What api-specs/ and generated/ say is bound, read from their text."""
import json
import pathlib
import re


def number(release):
    """"13.4" as something that can be compared."""
    return tuple(int(part) for part in release.split("."))


def read(repository, library, name):
    return json.loads(pathlib.Path(repository, "api-specs", library, name).read_text(encoding="utf-8"))


def facts(repository, library):
    """api.json, without what a library that is bound for one major has not had since that, and without enumerators that moved."""
    found = read(repository, library, "api.json")
    first = (read(repository, library, "library.json")["loading"].get("major", 0), 0)

    def is_bound(entry):
        return "removed" not in entry or number(entry["removed"]) > first

    for key in ("functions", "enums", "records", "handles", "aliases", "callbacks", "constants"):
        found[key] = [entry for entry in found[key] if is_bound(entry)]
    for enum in found["enums"]:
        enum["enumerators"] = [each for each in enum["enumerators"] if is_bound(each)]
    living = {each["name"] for enum in found["enums"] if "removed" not in enum for each in enum["enumerators"]}
    for enum in found["enums"]:
        if "removed" in enum:
            enum["enumerators"] = [each for each in enum["enumerators"] if each["name"] not in living]
    return found


def text_of(repository, library, folder, suffix):
    files = sorted(pathlib.Path(repository, "generated", library, folder).rglob("*" + suffix))
    return "\n".join(each.read_text(encoding="utf-8") for each in files)


def entry_points(repository, library):
    """{name of the wrapper: ABI symbol}."""
    text = pathlib.Path(repository, "generated", library, "src", "entry_points.cpp").read_text(encoding="utf-8")
    return dict(re.findall(r'EntryPoint (\w+)\{\s*\.symbol = "(\w+)"', text))


def declared_wrappers(repository, library):
    text = re.sub(r"///[^\n]*", "", text_of(repository, library, "include", ".hpp"))
    return set(re.findall(r"\b(\w+)\((?:[^;{}]|\{\})*\) noexcept;", text))


def defined_wrappers(repository, library):
    text = text_of(repository, library, "src", ".cpp")
    return set(re.findall(r"^[^\n;{}]*?\b(\w+)\([^;{}]*\) noexcept \{", text, flags=re.M))


def aliases(repository, library):
    """Public names that are references to a wrapper."""
    text = text_of(repository, library, "include", ".hpp")
    return set(re.findall(r"inline constexpr auto& (\w+)\s+=", text))


def enumerators(repository, library):
    """The enumerators that types.hpp has."""
    text = pathlib.Path(repository, "generated", library, "include", "cubind", library, "types.hpp").read_text(encoding="utf-8")
    return {name for body in re.findall(r"^enum \w+ : [\w ]+ \{(.*?)^\};", text, flags=re.M | re.S)
            for name in re.findall(r"^\s*(\w+) =", body, flags=re.M)}

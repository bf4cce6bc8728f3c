# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the bound entries from the text of api-specs/ and generated/."""
import fnmatch
import functools
import json
import pathlib
import re


def number(release):
    """Returns a release such as "13.4" as a comparable tuple."""
    return tuple(int(part) for part in release.split("."))


def libraries(repository):
    """Returns the names of the libraries, which are the folders of generated/ that have a sources.cmake."""
    return sorted(each.parent.name for each in pathlib.Path(repository, "generated").glob("*/sources.cmake"))


def read(repository, library, name):
    return json.loads(pathlib.Path(repository, "api-specs", library, name).read_text(encoding="utf-8"))


def used_libraries(repository, library):
    """Returns the libraries whose types a library uses, directly or through another, each after those that it uses."""
    found = []
    for each in read(repository, library, "library.json").get("uses", []):
        found += [name for name in (*used_libraries(repository, each), each) if name not in found]
    return found


@functools.cache
def not_exported(repository, library):
    """Returns the functions and variables that the headers declare and that no library exports. They are not bound."""
    patterns = read(repository, library, "overrides.json").get("not_exported", [])
    found = read(repository, library, "api.json") if patterns else {"functions": []}
    names = [each["name"] for each in [*found["functions"], *found.get("variables", [])]]
    return {name for name in names for pattern in patterns if fnmatch.fnmatchcase(name, pattern)}


def variadic(repository, library):
    """Returns the functions that accept further arguments (...). They are not bound."""
    return {each["name"] for each in read(repository, library, "api.json")["functions"] if each.get("variadic")}


def facts(repository, library):
    """Returns api.json with only the entries of the bound major and the functions and variables that are exported. A moved enumerator is only in
    its newest enum, and an enum whose name is now another type is left out."""
    found = read(repository, library, "api.json")
    major = read(repository, library, "library.json")["loading"].get("major", 0)

    def is_bound(entry):
        removed = number(entry["removed"]) if "removed" in entry else ()
        return not removed or removed > (major,) + (0,) * (len(removed) - 1)

    found.setdefault("variables", [])
    for key in ("functions", "enums", "records", "handles", "aliases", "callbacks", "constants", "variables"):
        found[key] = [entry for entry in found[key] if is_bound(entry)]
    left_out = not_exported(repository, library)
    for key in ("functions", "variables"):
        found[key] = [each for each in found[key] if each["name"] not in left_out]
    found["public_names"] = {name: meanings for name, meanings in found["public_names"].items()
                             if meanings[-1]["symbol"] not in left_out}
    for enum in found["enums"]:
        enum["enumerators"] = [each for each in enum["enumerators"] if is_bound(each)]
    # A name that now belongs to another kind of type is that type only.
    others = {each["name"] for key in ("records", "handles", "aliases", "callbacks") for each in found[key] if "removed" not in each}
    found["enums"] = [each for each in found["enums"] if "removed" not in each or each["name"] not in others]
    current = {each["name"] for enum in found["enums"] if "removed" not in enum for each in enum["enumerators"]}
    for enum in found["enums"]:
        if "removed" in enum:
            enum["enumerators"] = [each for each in enum["enumerators"] if each["name"] not in current]
    return found


def symbols(repository, library):
    """Returns the facts of all symbols that are bound: functions and variables."""
    found = facts(repository, library)
    return found["functions"] + found["variables"]


def is_present(entry, release):
    """Returns whether the headers of a release, such as (13, 4), have an entry of api.json."""
    return number(entry["since"]) <= release and ("removed" not in entry or release < number(entry["removed"]))


def expected_names(repository, library, release):
    """Returns names of functions that the headers of a release declare in every view: the public names, and the functions that
    no public name refers to. Leaves out functions that only some views declare, and versions and per-thread variants of a
    function, which a view may hide."""
    found = facts(repository, library)
    names = {name for name, meanings in found["public_names"].items()
             if is_present(meanings[-1] | {"since": meanings[0]["since"]}, release)}
    symbols = {each["symbol"] for name, meanings in found["public_names"].items() for each in meanings if each["symbol"] != name}
    names |= {each["name"] for each in found["functions"] if is_present(each, release) and "view" not in each} - symbols
    return {name for name in names if not re.search(r"_(?:v\d+|ptsz|ptds)$", name)}


def meaning(meanings, release):
    """Returns the meaning of a public name in a release."""
    return [each for each in meanings if number(each["since"]) <= release][-1]


def status_enum(repository, library):
    """Returns the name of the enum that is the status of a library or a field of it, or None if there is none."""
    found = facts(repository, library)
    settings = read(repository, library, "library.json")["status"]
    status = settings["type"]
    if "field" in settings:
        records = {each["name"]: each for each in found["records"]}
        status = next(each["type"] for each in records[status]["fields"] if each["name"] == settings["field"])
    aliases = {each["name"]: each["type"] for each in found["aliases"]}
    names = {each["name"] for each in found["enums"]}
    while status not in names and status in aliases:
        status = aliases[status].removeprefix("enum ")
    return status if status in names else None


def text_of(repository, library, folder, suffix):
    files = sorted(pathlib.Path(repository, "generated", library, folder).rglob("*" + suffix))
    return "\n".join(each.read_text(encoding="utf-8") for each in files)


def entry_points(repository, library):
    """Returns {name of the wrapper: ABI symbol}."""
    text = pathlib.Path(repository, "generated", library, "src", "entry_points.cpp").read_text(encoding="utf-8")
    return dict(re.findall(r'EntryPoint (\w+)\{\s*\.symbol = "(\w+)"', text))


def declared_wrappers(repository, library):
    text = re.sub(r"///[^\n]*", "", text_of(repository, library, "include", ".hpp"))
    text = re.sub(r" \((\w+)\)\(", r" \1(", text)  # names in parentheses, which macros do not replace
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

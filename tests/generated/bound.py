# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""What api-specs/ and generated/ say is bound, read from their text."""
import json
import pathlib
import re


def facts(repository, library):
    """api.json."""
    return json.loads(pathlib.Path(repository, "api-specs", library, "api.json").read_text(encoding="utf-8"))


def number(release):
    """"13.4" as something that can be compared."""
    return tuple(int(part) for part in release.split("."))


def text_of(repository, library, folder, suffix):
    files = sorted(pathlib.Path(repository, "generated", library, folder).rglob("*" + suffix))
    return "\n".join(each.read_text(encoding="utf-8") for each in files)


def entry_points(repository, library):
    """{name of the wrapper: ABI symbol}."""
    text = pathlib.Path(repository, "generated", library, "src", "entry_points.cpp").read_text(encoding="utf-8")
    return dict(re.findall(r'EntryPoint (\w+)\{\.symbol = "(\w+)"', text))


def declared_wrappers(repository, library):
    text = re.sub(r"///[^\n]*", "", text_of(repository, library, "include", ".hpp"))
    return set(re.findall(r"\b(\w+)\((?:[^;{}]|\{\})*\) noexcept;", text))


def defined_wrappers(repository, library):
    text = text_of(repository, library, "src", ".cpp")
    return set(re.findall(r"^\S[^\n;{}]*?\b(\w+)\([^;{}]*\) noexcept \{", text, flags=re.M))


def aliases(repository, library):
    """Public names that are references to a wrapper."""
    text = text_of(repository, library, "include", ".hpp")
    return set(re.findall(r"inline constexpr auto& (\w+) =", text))


def enumerators(repository, library):
    """The enumerators that types.hpp has."""
    text = pathlib.Path(repository, "generated", library, "include", "cubind", library, "types.hpp").read_text(encoding="utf-8")
    return {name for body in re.findall(r"^enum \w+ : [\w ]+ \{(.*?)^\};", text, flags=re.M | re.S)
            for name in re.findall(r"^\s*(\w+) =", body, flags=re.M)}

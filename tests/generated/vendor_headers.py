# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Reads the functions that the vendor's headers declare, without libclang and independently of the generator.

The C++ compiler preprocesses a header in each of its views. Declarations are recognized in the output by their punctuation: a
name, a parameter list, and a semicolon or a body, outside of any other body.
"""
import atexit
import functools
import os
import pathlib
import re
import subprocess
import tempfile

import bound
import search_path


def settings(repository, library):
    return bound.read(repository, library, "library.json")


def main_headers(include_dir, facts):
    """Returns the headers of a library, without those that are younger than the release in the folder."""
    return [each for each in facts["headers"]
            if each not in facts.get("headers_since", {}) or os.path.exists(os.path.join(include_dir, each))]


def own_headers(include_dir, facts):
    """Returns the headers that the functions of a library are bound from."""
    return [*main_headers(include_dir, facts), *facts.get("side_headers", {})]


def included_headers(include_dir, facts):
    """Returns own_headers() in the order of inclusion, each side header after the headers of other software that it requires."""
    sides = ((*side.get("foreign", {}), header) for header, side in facts.get("side_headers", {}).items())
    return tuple([*main_headers(include_dir, facts), *(header for each in sides for header in each)])


def libraries(include_dir, repository):
    """Returns the libraries whose headers are in the folder."""
    return [library for library in bound.libraries(repository)
            if all(os.path.exists(os.path.join(include_dir, each)) for each in own_headers(include_dir, settings(repository, library)))]


def write_foreign_headers(folder, repository):
    """Writes the declarations of library.json that replace headers of other software, if the machine lacks these."""
    for library in bound.libraries(repository):
        for side in settings(repository, library).get("side_headers", {}).values():
            for header, lines in side.get("foreign", {}).items():
                # Several libraries may state the same declarations, or different parts.
                path = pathlib.Path(folder, header)
                path.parent.mkdir(parents=True, exist_ok=True)
                known = path.read_text(encoding="utf-8").splitlines() if path.exists() else ["#pragma once"]
                path.write_text("\n".join(dict.fromkeys([*known, *lines])) + "\n", encoding="utf-8")


@functools.cache
def search_options(compiler, repository):
    """Returns the options that follow the folder of the vendor's headers. They find the compiler's headers, and the headers of other
    software: those of the machine, else their replacements."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    write_foreign_headers(folder.name, repository)
    return (*search_path.options(compiler), "-idirafter", folder.name)


def release(include_dir, repository, library):
    """Returns the release of the headers of a library, such as (13, 4), or its version, such as (2, 19, 3)."""
    place = settings(repository, library).get("release")
    if place is None:
        return own_version(include_dir, settings(repository, library)["version"])
    with open(os.path.join(include_dir, place["header"]), encoding="utf-8") as file:
        version = int(re.search(rf"^#define {place['macro']}\s+(\d+)$", file.read(), re.M).group(1))
    return version // 1000, version % 1000 // 10


def own_version(include_dir, place):
    """Returns the version that the macros of a header state."""
    with open(os.path.join(include_dir, place["header"]), encoding="utf-8") as file:
        text = file.read()
    parts = [int(re.search(rf"^#\s*define\s+{macro}\s+\(?\s*(\d+)", text, re.M).group(1)) for macro in place["macros"]]
    if "weights" in place:
        rest, parts = parts[0], []
        for weight in place["weights"]:
            parts.append(rest // weight)
            rest %= weight
    return tuple([*parts, 0][:3])


def include_lines(include_dir, facts):
    return "".join(f"#include <{header}>\n" for header in included_headers(include_dir, facts))


@functools.cache
def sections(compiler, include_dir, repository, library, defines):
    """Returns [(header, preprocessed text)] of all headers in the folder that the library's headers include with these macros defined,
    in the order of the text. Returns None if the headers reject the macros."""
    command = [compiler, "-E", "-x", "c++", "-std=c++20", "-I", include_dir, *search_options(compiler, repository),
               *("-D" + each for each in defines), "-"]
    result = subprocess.run(command, capture_output=True, text=True, input=include_lines(include_dir, settings(repository, library)))
    if result.returncode != 0:
        return None
    # The text before the first marker, then the path and the text behind each marker.
    parts = re.split(r'^# \d+ "(.*?)".*\n', result.stdout, flags=re.M)
    return [(path, text) for path, text in zip(parts[1::2], parts[2::2]) if path.startswith(include_dir)]


@functools.cache
def preprocessed(compiler, include_dir, repository, library, defines, also=()):
    """Returns the preprocessed text of the library's headers, and of those headers in `also` that they include, with these macros
    defined. Returns None if the headers reject the macros."""
    found = sections(compiler, include_dir, repository, library, defines)
    if found is None:
        return None
    wanted = {os.path.join(include_dir, header) for header in (*own_headers(include_dir, settings(repository, library)), *also)}
    return "".join(text for path, text in found if path in wanted)


def variables(compiler, include_dir, repository, library):
    """Returns the names of the constants that the headers declare as exported variables."""
    also = tuple(settings(repository, library).get("type_headers", []))
    text = preprocessed(compiler, include_dir, repository, library, (), also)
    declarations = re.findall(r'\bextern\s+(?:"C"\s+)?([^;{}()]*?)(\w+)\s*;', text)
    # The const of a pointer is behind the *, that of any other type anywhere before the name.
    return {name for type, name in declarations
            if not name.startswith("_") and re.search(r"\bconst\b", type.rpartition("*")[2])}


def compiles(compiler, include_dir, repository, library, defines):
    """Returns whether C++ programs can include the headers with these macros defined."""
    command = [compiler, "-fsyntax-only", "-w", "-x", "c++", "-std=c++20", "-I", include_dir, *search_options(compiler, repository),
               *("-D" + each for each in defines), "-"]
    source = include_lines(include_dir, settings(repository, library))
    return subprocess.run(command, capture_output=True, text=True, input=source).returncode == 0


def header_texts(include_dir, repository, library):
    texts = []
    for header in own_headers(include_dir, settings(repository, library)):
        with open(os.path.join(include_dir, header), encoding="utf-8") as file:
            texts.append(file.read())
    return texts


def tested_macros(text):
    """Returns the macros that the conditions in a header test, that it does not define, and that no compiler reserves."""
    conditions = re.findall(r"^[ \t]*#[ \t]*(?:el)?if(?:n?def)?\b((?:[^\n]*\\\n)*[^\n]*)$", text, flags=re.M)
    conditions = re.sub(r"/\*.*?\*/|//[^\n]*", " ", "\n".join(conditions), flags=re.S)
    defined = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, flags=re.M))
    return sorted(set(re.findall(r"\b[A-Za-z]\w*", conditions)) - defined - {"defined"})


@functools.cache
def views(compiler, include_dir, repository, library):
    """Returns every view of a library's headers, which is a tuple of macros that change the text of the headers: those of
    library.json, and each macro that the headers test."""
    facts = settings(repository, library)
    candidates = [(facts["per_thread_macro"],)] if facts.get("per_thread_macro") else []
    for view in facts.get("views", []):
        # Each macro of a view may change the declarations by itself.
        candidates += [tuple(view["defines"][:count]) for count in range(1, len(view["defines"]) + 1)]
    candidates += [(macro,) for text in header_texts(include_dir, repository, library) for macro in tested_macros(text)]
    texts = {(): preprocessed(compiler, include_dir, repository, library, ())}
    assert texts[()], f"{library}: the headers cannot be read"
    for view in dict.fromkeys(candidates):
        text = preprocessed(compiler, include_dir, repository, library, view)
        if text is not None and text not in texts.values() and compiles(compiler, include_dir, repository, library, view):
            texts[view] = text
    return list(texts)


def prefix(repository, library):
    """Returns a pattern for the beginning of the names of a library's functions, with an optional __."""
    common = os.path.commonprefix([each["name"] for each in bound.facts(repository, library)["functions"]])
    return rf"(?:__)?{common}" if common else r"[A-Za-z]"


def blank_nested(text):
    """Removes the content of every {...} from `text`, except for the block of extern "C"."""
    text = re.sub(r'extern\s+"C"\s*\{', " ", text)
    result, depth = [], 0
    for part in re.split(r"([{}])", text):
        if part == "{":
            depth += 1
            result.append("{" if depth == 1 else "")
        elif part == "}":
            depth = max(0, depth - 1)
            result.append("}" if depth == 0 else "")
        elif depth == 0:
            result.append(part)
    return "".join(result)


DECLARATION = r"(?:^|[;{{}}])\s*([^;{{}}()=]*?(?:__attribute__\s*\(\([^;]*?\)\)[^;{{}}()=]*?)*)\b({prefix}\w*)\s*(\((?:[^()]|\([^()]*\))*\))[^;{{}}()]*([;{{])"


def functions(text, prefix):
    """Returns {name: True for a symbol, False for an inline definition} of the declarations in preprocessed text."""
    found = {}
    pattern = re.compile(DECLARATION.format(prefix=prefix))
    text = re.sub(r"^[ \t]*#[ \t]*pragma\b[^\n]*$", "", text, flags=re.M)
    text = re.sub(r"\[\[.*?\]\]", " ", text, flags=re.S)  # attributes such as [[deprecated("...")]]
    text, position = blank_nested(text), 0
    while match := pattern.search(text, position):
        position = match.end() - 1  # the last character may begin the next declaration
        before, name, _, end = match.groups()
        if "typedef" in before.split() or not before.strip():
            continue
        is_symbol = end == ";" and "static" not in before.split()
        found[name] = found.get(name, False) or is_symbol
    return found


@functools.cache
def enumerators(compiler, include_dir, repository, library, also=()):
    """Returns the names of all enumerators that a library's headers, and those in `also` that they include, define in any view."""
    facts, found = settings(repository, library), set()
    also = (*facts.get("type_headers", ()), *also)
    for view in views(compiler, include_dir, repository, library):
        text = preprocessed(compiler, include_dir, repository, library, view, also)
        text = re.sub(r"__attribute__\s*\(\(.*?\)\)|\[\[.*?\]\]", "", text, flags=re.S)
        for body in re.findall(r"\benum\b[^;{}()]*\{([^{}]*)\}", text):
            found.update(re.findall(r"(?:^|,)\s*(\w+)", body))
    return frozenset(found)


def declared(compiler, include_dir, repository, library):
    """Returns {name: True if any view declares it as a symbol} for all views of a library's headers. Leaves out the functions that
    overrides.json lists as not exported."""
    found = {}
    for view in views(compiler, include_dir, repository, library):
        text = preprocessed(compiler, include_dir, repository, library, view)
        for name, is_symbol in functions(text, prefix(repository, library)).items():
            found[name] = found.get(name, False) or is_symbol
    return {name: is_symbol for name, is_symbol in found.items() if name not in bound.not_exported(repository, library)}


def public_names(compiler, include_dir, repository, library):
    """Returns the public names in the default view: the names in the headers before the preprocessor renames them, and the macros
    that denote a function. Leaves out the functions that overrides.json lists as not exported, and inline functions of the headers
    that no library exports."""
    # Without the included files, the headers may find that macros are missing.
    left_out = re.compile(r"^[ \t]*#[ \t]*(?:include|error)\b[^\n]*$", re.M)
    text = left_out.sub("", "\n".join(header_texts(include_dir, repository, library)))
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", " ", text)
    common = prefix(repository, library)

    def preprocess(option, source):
        command = [compiler, "-E", option, "-x", "c++", "-std=c++20", "-D__host__=", "-"]
        return subprocess.run(command, check=True, capture_output=True, text=True, input=source).stdout

    # Removes only the macros that rename functions.
    written = re.sub(r"^[ \t]*#[ \t]*define[ \t]+" + common + r"\w*[ \t]+[^\n]*$", "", text, flags=re.M)
    found = functions(preprocess("-P", written), common)
    # Of the inline functions, only those that call the versioned symbol of an exported function, such as __name_12_0, are bound.
    versioned = {re.sub(r"^__|_\d+_\d+$", "", name) for name in found if name.startswith("__")}
    names = {name for name, is_symbol in found.items() if not name.startswith("__") and (is_symbol or name in versioned)}
    names -= bound.not_exported(repository, library)
    macros = re.findall(r"^#define (\w+) (\w+)$", preprocess("-dM", text), re.M)
    # Names that macros of included files compose are not in the text.
    words = set(re.findall(r"\w+", text))
    composed = functions(preprocessed(compiler, include_dir, repository, library, ()), common)
    names |= {name for name, is_symbol in composed.items() if is_symbol and name not in words}
    names -= bound.not_exported(repository, library)
    return sorted(names | {name for name, body in macros if re.match(common, name) and body in names})

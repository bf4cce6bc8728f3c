# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Writes C++ that library_functions.cpp includes, from the api-specs/ of a library. LAYOUTS receives the records that have
padding or initial values other than zero. The OUTPUTs receive the entries, evenly distributed: one for each C++ name and each
number of arguments that can be omitted. Names that denote the same wrapper in both modes have a shorter entry in mode per_thread.

usage: write_functions.py REPOSITORY LIBRARY MODE LAYOUTS OUTPUT...

MODE is legacy or per_thread.
"""
import sys

import annotations

REPOSITORY, LIBRARY, MODE, LAYOUTS, *OUTPUTS = sys.argv[1:]


def value_types(library, symbol):
    """Returns the types of the objects that the wrapper provides, in C order."""
    parameters = library.functions[symbol]["parameters"]
    return [annotations.pointee(each["type"])
            for role, each in zip(library.roles(symbol), parameters) if role != annotations.PASSED]


def arguments(library, symbol):
    """Returns [(type, default value or None)] of the wrapper's parameters."""
    found = []
    for role, each in zip(library.roles(symbol), library.functions[symbol]["parameters"]):
        if role == annotations.PASSED:
            found.append((each["type"], each.get("default")))
        elif role == annotations.INOUT:
            assert "default" not in each, f"{symbol}: an in-out value has a default"
            kind = annotations.pointee(each["type"])
            found.append((f"const {kind} &" if library.layouts.record_of(kind) else kind, None))
    return found


def wrapper_expression(name, given, omitted):
    """Returns the wrapper, or a lambda that calls it with the arguments `given` only."""
    if not omitted:
        return f"&library::{name}"
    parameters = ", ".join(f"{kind} a{index}" for index, (kind, _) in enumerate(given))
    passed = ", ".join(f"a{index}" for index in range(len(given)))
    adds = "".join(f" values.add<{kind}>({'{}' if value == '0' else value});" for kind, value in omitted)
    lambda_text = f"+[]({parameters}) noexcept {{ return library::{name}({passed}); }}"
    return f"{lambda_text}, {{.omitted_arguments = [](OmittedArguments& values) {{{adds} }}}}"


def adapter_fields(library, adapter, symbol):
    if adapter is None:
        return ""
    names = [each["name"] for each in library.functions[symbol]["parameters"]]
    unless = " | ".join("library::" + each for each in adapter["unless"])
    return f", {{.adapted = {names.index(adapter['parameter'])}, .unless = {unless}, .set = library::{adapter['set']}}}"


def entries(library, name, symbol, adapter):
    function = library.functions[symbol]
    parameters = function["parameters"]
    texts = [library.group(symbol), name, symbol, library.roles(symbol), " ".join(each["name"] for each in parameters)]
    c_function = f"{function['returns']}({', '.join(each['type'] for each in parameters)})"
    returns = function["returns"]
    if returns in library.statuses:
        returns = f"Result<{', '.join([returns, *value_types(library, symbol)])}>"
    given, omitted = arguments(library, symbol), []
    while True:
        wrapper = f"{returns}({', '.join(kind for kind, _ in given)}) noexcept"
        quoted = ", ".join(f'"{each}"' for each in texts)
        special = adapter_fields(library, adapter, symbol)
        yield f"function<{c_function}, {wrapper}>({quoted}, {wrapper_expression(name, given, omitted)}{special}),\n"
        if not given or given[-1][1] is None:
            return
        omitted.insert(0, given.pop())


def same_entry(library, name, symbol):
    """Returns the entry of a name that denotes the same wrapper in both modes."""
    return f'same("{library.group(symbol)}", "{name}", "{symbol}", reinterpret_cast<void (*)()>(&library::{name})),\n'


def layout_lines(library):
    """Yields the layouts of the records that functions take or return by value."""
    layouts = library.layouts
    kinds = {kind for symbol in library.functions for kind in value_types(library, symbol)}
    kinds |= {kind for symbol in library.functions for kind, _ in arguments(library, symbol)}
    kinds |= {function["returns"] for function in library.functions.values()}
    for name in sorted({layouts.record_of(kind) for kind in kinds} - {None}):
        padding = ", ".join(f"{{{offset}, {size}}}" for offset, size in layouts.padding(name))
        starts = ", ".join(f"{{{offset}, {size}, {value}u}}" for offset, size, value in layouts.starts(name))
        if padding or starts:
            yield f"template <> inline constexpr Layout layout<library::{name}>{{{{{padding}}}, {{{starts}}}}};\n"


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write("// Written by write_functions.py.\n")
        file.writelines(lines)


library = annotations.Library(REPOSITORY, LIBRARY)
write(LAYOUTS, layout_lines(library))
legacy = library.names(per_thread=False)
names = library.names(per_thread=MODE == "per_thread")
written = [same_entry(library, name, meaning[0]) if MODE == "per_thread" and meaning == legacy[name]
           else "".join(entries(library, name, *meaning)) for name, meaning in names.items()]
for index, output in enumerate(OUTPUTS):
    write(output, written[len(written) * index // len(OUTPUTS):len(written) * (index + 1) // len(OUTPUTS)])

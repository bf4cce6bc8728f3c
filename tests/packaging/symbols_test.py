# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the symbols that each shared library exports with symbols/LIBRARY.txt, or with the specs if the library is generated.

The lists hold what programs can depend on: symbols that only one object file defines, of public headers. Instances of templates
differ between compilers and levels of optimization. Symbols of namespace detail count if a public header names them.
CUBIND_UPDATE_SYMBOLS=1 writes the lists. docs/versions.md says what a change of them means. building.py describes the command line.
"""
import itertools
import json
import os
import pathlib
import re
import sys
import unittest

from building import DEFAULT_LIBRARIES, SOURCE, WORK, build_all, build_shared, in_prefix, run

LISTS = pathlib.Path(__file__).resolve().parent / "symbols"
UPDATES = bool(os.environ.get("CUBIND_UPDATE_SYMBOLS"))
SHORTER = ((r"std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> ?>", "std::string"),
           (r"std::basic_string_view<char, std::char_traits<char> ?>", "std::string_view"),
           (r"(std::vector<([^<>]|<[^<>]*>)*), std::allocator<([^<>]|<[^<>]*>)*> ?>", r"\1>"),
           (r"\[abi:cxx11\]", ""), (r"\bcubind::v\d+_\d+::", ""), (r" >", ">"), (r"18446744073709551615ul", "std::dynamic_extent"))
# What each generated library exports beside its functions and to_string() of its enums.
OWN_FUNCTIONS = {"all_entry_points", "describe", "entry_point_of", "library", "reflection"}


def public_words():
    """Returns the words of all hand-written public headers."""
    headers = itertools.chain(*(folder.rglob("*.hpp") for folder in pathlib.Path(SOURCE).glob("runtime/**/include")))
    return {word for header in headers for word in re.findall(r"\w+", header.read_text(encoding="utf-8"))}


def exported(library):
    """Returns the symbols of cubind that the library defines and no other library may define."""
    return set(re.findall(r"^\S+ [TDBR] (cubind::.*)$", run("nm", "-DC", "--defined-only", library), re.MULTILINE))


def shorten(symbol):
    for pattern, replacement in SHORTER:
        symbol = re.sub(pattern, replacement, symbol)
    return symbol


def scope_of(symbol):
    """Splits a symbol into its namespace and class, and the rest: `StreamRef` and `record(Event) const`."""
    name = re.match(r"(?:operator.*?(?=\()|~?\w+(?:::)?)*", symbol)[0]
    scope, _, last = name.rpartition("::")
    return scope, last + symbol[len(name):]


def to_lines(symbols):
    """Returns the text of a list: each scope, and its symbols below it."""
    lines = []
    for scope, group in itertools.groupby(sorted(map(scope_of, symbols)), key=lambda pair: pair[0]):
        lines += [f"{scope or 'cubind'}:", *(f"  {symbol}" for _, symbol in group)]
    return lines


class SymbolsTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        folder = build_shared(*in_prefix(WORK / "prefix_shared"))
        cls.libraries = {path.stem.removeprefix("libcubind_"): path for path in folder.rglob("libcubind_*.so")}
        cls.generator = build_all(WORK / "build", "-DCUBIND_BUILD_GENERATOR=ON", *in_prefix(WORK / "prefix")) / "generator" / "cubind-gen"

    def report(self, name, before, now, remedy):
        lost, new = (sorted(one - other) for one, other in ((before, now), (now, before)))
        if lost or new:
            self.fail(f"libcubind_{name}.so\n" + "".join(f"  no longer exports {each}\n" for each in lost) +
                      "".join(f"  exports a new symbol {each}\n" for each in new) + remedy)

    def test_libraries_written_by_hand_export_what_their_lists_say(self):
        words = public_words()
        names = sorted(set(self.libraries) - DEFAULT_LIBRARIES)
        self.assertGreaterEqual(set(names), {"core", "error", "interop", "kernels", "layers", "loader", "nvtx", "system"})
        for name in names:
            symbols = {shorten(each) for each in exported(self.libraries[name])}
            public = {each for each in symbols if not (detail := re.match(r"detail::(?:\w+::)*?(\w+)", each)) or detail[1] in words}
            self.assertTrue(public, name)
            file = LISTS / f"{name}.txt"
            if UPDATES:
                file.write_text("\n".join(to_lines(public)) + "\n", encoding="utf-8")
            with self.subTest(name):
                self.assertTrue(file.exists(), f"{file} is missing; CUBIND_UPDATE_SYMBOLS=1 writes it")
                scope, before = "", set()
                for line in file.read_text(encoding="utf-8").splitlines():
                    if line.startswith("  "):
                        before.add(f"{scope}::{line.strip()}")
                    else:
                        scope = line.removesuffix(":")
                now = {f"{scope or 'cubind'}::{rest}" for scope, rest in map(scope_of, public)}
                self.report(name, before, now, "A patch release must not lose a symbol, see docs/versions.md. If the change is intended, run "
                            "CUBIND_UPDATE_SYMBOLS=1 ctest -R packaging_symbols, and review the difference.")

    def test_lists_belong_to_libraries(self):
        self.assertEqual({each.stem for each in LISTS.iterdir()}, set(self.libraries) - DEFAULT_LIBRARIES)

    def test_generated_libraries_export_what_the_specs_say(self):
        for name in sorted(DEFAULT_LIBRARIES):
            model = json.loads(run(self.generator, "--root", SOURCE, "model", name))
            functions = {each["name"] for each in [*model["functions"], *model["variables"]]}
            functions |= {each["per_thread"] for each in model["functions"] if each["per_thread"]}
            expected = functions | OWN_FUNCTIONS | {f"to_string({each['name']})" for each in model["enums"]}
            prefix, now = f"{name}::", set()
            for symbol in map(shorten, exported(self.libraries[name])):
                self.assertTrue(symbol.startswith(prefix), f"libcubind_{name}.so exports {symbol}, which is not in its namespace")
                function = re.match(r"\w+", symbol[len(prefix):])[0]
                now.add(symbol[len(prefix):].replace(prefix, "") if function == "to_string" else function)
            with self.subTest(name):
                self.report(name, expected, now, "Its sources do not agree with the specs; run cubind-gen emit.")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

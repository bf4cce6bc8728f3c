# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that exactly the functions that the vendor's headers declare are bound.

vendor_headers.py reads the headers independently of the generator.

usage: coverage_test.py COMPILER INCLUDE_DIR REPOSITORY
"""
import re
import sys
import unittest

import bound
import vendor_headers

COMPILER, INCLUDE_DIR, REPOSITORY = sys.argv[1:]

# Enumerators that types.hpp does not define, with the reason. Every entry must be necessary.
NOT_IN_TYPES = {"CU_LAUNCH_ATTRIBUTE_MAX": "the number of attributes; only in a view of cuda.h that violates the one-definition rule"}


def is_versioned_symbol_of(symbols, name):
    """Returns whether a name is a versioned symbol, such as __name_12_0, that an inline function calls. The unversioned export,
    which every release has, is bound."""
    unversioned = re.fullmatch(r"__(\w+?)_\d+_\d+", name)
    return unversioned is not None and unversioned[1] in symbols


class CoverageTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        # Libraries that the release of the headers does not have are left out.
        cls.declared = {library: vendor_headers.declared(COMPILER, INCLUDE_DIR, REPOSITORY, library)
                        for library in vendor_headers.libraries(INCLUDE_DIR, REPOSITORY)}

    def for_each_library(self, check):
        for library, declared in self.declared.items():
            with self.subTest(library):
                check(library, {name for name, is_symbol in declared.items() if is_symbol})

    def assert_none(self, names, message):
        self.assertEqual(sorted(names), [], message)

    def test_every_declared_function_is_in_the_facts(self):
        def check(library, symbols):
            facts = {each["name"] for each in bound.facts(REPOSITORY, library)["functions"]}
            self.assert_none((name for name in symbols - facts if not is_versioned_symbol_of(facts, name)), "not in api.json")
        self.for_each_library(check)

    def test_every_fact_is_of_a_declared_function(self):
        def check(library, symbols):
            release = vendor_headers.release(INCLUDE_DIR, REPOSITORY, library)
            present = {each["name"] for each in bound.facts(REPOSITORY, library)["functions"]
                       if "removed" not in each and bound.number(each["since"]) <= release}
            self.assertGreater(len(present), 0)
            self.assert_none(present - symbols, "in api.json, but no header declares the function")
        self.for_each_library(check)

    def test_the_facts_have_exactly_the_declared_variables(self):
        def check(library, _):
            release = vendor_headers.release(INCLUDE_DIR, REPOSITORY, library)
            present = {each["name"] for each in bound.facts(REPOSITORY, library)["variables"] if bound.is_present(each, release)}
            declared = vendor_headers.variables(COMPILER, INCLUDE_DIR, REPOSITORY, library)
            self.assert_none(present ^ (declared - bound.not_exported(REPOSITORY, library)), "in only one of them")
        self.for_each_library(check)

    def test_every_declared_function_has_an_entry_point(self):
        def check(library, symbols):
            entries = set(bound.entry_points(REPOSITORY, library).values())
            self.assert_none((name for name in symbols - entries if not is_versioned_symbol_of(entries, name)), "no entry point")
        self.for_each_library(check)

    def test_entry_points_and_facts_have_the_same_symbols(self):
        def check(library, _):
            facts = {each["name"] for each in bound.symbols(REPOSITORY, library)}
            self.assert_none(set(bound.entry_points(REPOSITORY, library).values()) ^ facts, "in only one of them")
        self.for_each_library(check)

    def test_every_entry_point_has_a_wrapper_declared_and_defined(self):
        def check(library, _):
            entries = set(bound.entry_points(REPOSITORY, library))
            self.assert_none(entries - bound.declared_wrappers(REPOSITORY, library), "not declared")
            self.assert_none(entries - bound.defined_wrappers(REPOSITORY, library), "not defined")
        self.for_each_library(check)

    def test_every_public_name_is_offered(self):
        def check(library, _):
            names = set(vendor_headers.public_names(COMPILER, INCLUDE_DIR, REPOSITORY, library))
            release = vendor_headers.release(INCLUDE_DIR, REPOSITORY, library)
            self.assert_none(bound.expected_names(REPOSITORY, library, release) - names, "not found in the headers")
            offered = bound.declared_wrappers(REPOSITORY, library) | bound.aliases(REPOSITORY, library)
            self.assert_none(names - offered, "neither a wrapper nor an alias")
        self.for_each_library(check)

    def test_types_define_exactly_the_enumerators_of_the_headers(self):
        def check(library, _):
            names = vendor_headers.enumerators(COMPILER, INCLUDE_DIR, REPOSITORY, library)
            release = vendor_headers.release(INCLUDE_DIR, REPOSITORY, library)
            ours = bound.enumerators(REPOSITORY, library)
            self.assert_none(names - ours - set(NOT_IN_TYPES), "not in types.hpp")
            present = {each["name"] for enum in bound.facts(REPOSITORY, library)["enums"] for each in enum["enumerators"]
                       if "removed" not in each and "removed" not in enum
                       and bound.number(each.get("since", enum["since"])) <= release}
            # Functions may take enums of headers that the library's headers include.
            included = tuple({enum["header"] for enum in bound.facts(REPOSITORY, library)["enums"]})
            names |= vendor_headers.enumerators(COMPILER, INCLUDE_DIR, REPOSITORY, library, included)
            self.assert_none((ours & present) - names, "in types.hpp, but in no header")
        self.for_each_library(check)

    def test_every_exemption_is_needed(self):
        names = {name for library in self.declared
                 for name in vendor_headers.enumerators(COMPILER, INCLUDE_DIR, REPOSITORY, library)
                 - bound.enumerators(REPOSITORY, library)}
        self.assertEqual(names, set(NOT_IN_TYPES))

    def test_the_headers_were_read(self):
        # Guards against a reader that finds too few declarations or takes inline functions for symbols.
        driver = self.declared["driver"]
        for name in ("cuMemAlloc", "cuMemAlloc_v2", "cuLaunchKernel_ptsz", "cuGetProcAddress"):
            self.assertTrue(driver.get(name), name)
        self.assertFalse(driver["cuGetProcAddress_v2_ptsz"], "an inline function, which no library exports")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that the vendor's library, or the toolkit's stub of it, exports every bound symbol.

usage: exported_symbols_test.py NM REPOSITORY RELEASE LIBRARY SHARED_OBJECT

RELEASE is the release of the shared object, or "stub" for a stub of unknown release. The release of a stub is that of the newest
bound symbol that it exports. Symbols of later releases are not expected, and neither are functions whose headers require other
software, such as OpenGL, because stubs lack them.
"""
import subprocess
import sys
import unittest

import bound

NM, REPOSITORY, RELEASE, LIBRARY, SHARED_OBJECT = sys.argv[1:]

# Symbols that are bound but not exported, with the reason. Every entry must be necessary.
NOT_EXPORTED = {}


class ExportedSymbolsTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        output = subprocess.run([NM, "-D", "--defined-only", SHARED_OBJECT], check=True, capture_output=True, text=True).stdout
        self.exported = {line.split()[-1].split("@")[0] for line in output.splitlines() if line.strip()}
        facts = bound.symbols(REPOSITORY, LIBRARY)
        removed = {each["name"] for each in facts if "removed" in each}
        late = bound.read(REPOSITORY, LIBRARY, "overrides.json").get("exported_since", {})
        since = {each["name"]: bound.number(late.get(each["name"], each["since"])) for each in facts}
        if RELEASE == "stub":
            side_headers = bound.read(REPOSITORY, LIBRARY, "library.json").get("side_headers", {})
            removed |= {each["name"] for each in facts if side_headers.get(each["header"], {}).get("foreign")}
        # A symbol that the facts lack is expected in every release.
        self.since = {symbol: since.get(symbol, (0, 0)) for symbol in bound.entry_points(REPOSITORY, LIBRARY).values()
                      if symbol not in removed}
        self.bound = set(self.since)

    def test_every_bound_symbol_is_exported(self):
        release = bound.number(RELEASE) if RELEASE != "stub" else max(self.since[name] for name in self.bound & self.exported)
        expected = {name for name in self.bound if self.since[name] <= release}
        missing = expected - self.exported - set(NOT_EXPORTED.get(LIBRARY, {}))
        self.assertEqual(sorted(missing), [], f"of release {release}, not exported by {SHARED_OBJECT}")

    def test_no_symbol_that_the_overrides_leave_out_is_exported(self):
        # Variadic functions are left out although they are exported, because no wrapper can call them.
        left_out = bound.not_exported(REPOSITORY, LIBRARY) - bound.variadic(REPOSITORY, LIBRARY)
        self.assertEqual(sorted(left_out & self.exported), [], f"exported by {SHARED_OBJECT}")

    def test_an_unknown_symbol_is_not_found(self):
        self.assertGreater(len(self.bound), 0)
        self.assertNotIn(next(iter(self.bound)) + "_no_such_symbol", self.exported)

    def test_every_exemption_is_needed(self):
        for name in NOT_EXPORTED.get(LIBRARY, {}):
            self.assertIn(name, self.bound)
            self.assertNotIn(name, self.exported)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

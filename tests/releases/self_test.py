# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the reader with a small header that contains every construct that needs special code, and the comparison with known
differences.

usage: self_test.py COMPILER
"""
import pathlib
import sys
import tempfile
import unittest

import c_declarations
import cached_readings
import diff_test
import expected_diff
import facts
import raw_headers
import views

COMPILER = sys.argv[1]

# Written for this test. It has the name of the driver's header, so that it is read in the driver's views.
HEADER = r"""
#include <stddef.h>
#define CUAPI
#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_VERSION_INTERNAL)
#define PTSZ(name) name ## _ptsz
#else
#define PTSZ(name) name
#endif
#define cuOne PTSZ(cuOne_v2)
#define cuOne_v2 PTSZ(cuOne_v2)
#define CU_VALUE (sizeof(CUpod) << 1)
#define CU_POINTER ((CUthing)0x2)
#define CU_LAST CU_ENUM_C
#define CU_TEXT "text"
#define CU_FUNCTION(x) (x)
#define CUenumMacro CUenum
#define __CU_HIDDEN 1
#ifdef __cplusplus
extern "C" {
#endif
/** \defgroup TYPES types
 * @{ */
typedef struct CUthing_st *CUthing;
typedef enum CUenum_enum : unsigned char { CU_ENUM_A = 1 << 3, CU_ENUM_B, CU_ENUM_C = (CU_ENUM_A | 0x7), } CUenum;
typedef struct { unsigned int a, b[2]; } CUpod;
typedef struct CUmixed_st {
    alignas(16) char bytes[32 - 2 * sizeof(int)];
    union { int id; struct { unsigned char x, y; } pair; };
    struct { int in; } many[3];
    void (*function)(const char *const *text, CUpod);
} CUmixed_v1, *CUmixedPointer;
typedef CUmixed_v1 CUmixed;
typedef int (CUAPI *CUcallback)(void *data, CUthing);
/** @} */
/** \defgroup FIRST first
 * @{ */
CUenum CUAPI cuOne(CUthing thing, unsigned value[], const CUmixed *const mixed);
__attribute__((deprecated)) CUenum CUAPI cuPlain(void);
/** @} */
/** \ingroup SECOND */
const char *cuSecond(long unsigned int, CUcallback);
const char *cuThird(int (*callback)(void *, ...));
#if defined(__CUDA_API_VERSION_INTERNAL)
#undef cuOne
#undef cuOne_v2
CUenum CUAPI cuOne(CUthing thing);
CUenum CUAPI cuOne_v2(CUthing thing, unsigned *value, const CUmixed *mixed);
#elif defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
static inline CUenum cuPlain_ptsz(void) { return cuPlain(); }
#define cuPlain cuPlain_ptsz
#endif
#ifdef __cplusplus
}
#endif
"""

FIELDS = {"bytes": ["char[24]", 0], "id": ["int", 24], "pair": ["struct", 24], "pair.x": ["unsigned char", 24],
          "pair.y": ["unsigned char", 25], "many": ["struct[3]", 28],
          "function": ["void(*)(const char*const*,CUpod)", 40]}
READING = {
    "functions": {
        "cuOne_v2": {"signature": "CUenum(CUthing,unsigned int*,const CUmixed*const)", "group": "FIRST", "public": True},
        "cuPlain": {"signature": "CUenum()", "group": "FIRST", "public": True},
        "cuSecond": {"signature": "const char*(unsigned long,CUcallback)", "group": "SECOND", "public": True},
        "cuThird": {"signature": "const char*(int(*)(void*,...))", "group": "", "public": True},
        "cuOne_v2_ptsz": {"signature": "CUenum(CUthing,unsigned int*,const CUmixed*const)", "group": "FIRST", "public": False},
        "cuOne": {"signature": "CUenum(CUthing)", "group": "", "public": False},
    },
    "public_names": {"cuOne": ["cuOne_v2", "cuOne_v2_ptsz"], "cuOne_v2": ["cuOne_v2", "cuOne_v2_ptsz"], "cuPlain": ["cuPlain", ""],
                     "cuSecond": ["cuSecond", ""], "cuThird": ["cuThird", ""]},
    "enums": {"CUenum_enum": {"underlying": "unsigned char", "enumerators": {"CU_ENUM_A": 8, "CU_ENUM_B": 9, "CU_ENUM_C": 15}}},
    "records": {
        "CUpod": {"keyword": "struct", "size": 12, "alignment": 4, "fields": {"a": ["unsigned int", 0], "b": ["unsigned int[2]", 4]}},
        "CUmixed_st": {"keyword": "struct", "size": 48, "alignment": 16, "fields": FIELDS}},
    "handles": {"CUthing": "CUthing_st"},
    "aliases": {"CUenum": "CUenum_enum", "CUmixed_v1": "CUmixed_st", "CUmixedPointer": "CUmixed_st*", "CUmixed": "CUmixed_v1",
                "CUenumMacro": "CUenum"},
    "callbacks": {"CUcallback": "int(void*,CUthing)"},
    "constants": {"CU_VALUE": ["unsigned long", 24], "CU_POINTER": ["CUthing_st*", 2], "CU_LAST": ["CUenum_enum", 15]},
}

# The tests write only one header of the driver.
views.LIBRARIES["driver"].update(headers=["cuda.h"], own=["cuda.h"])


def read(text):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "cuda.h").write_text(text, encoding="utf-8")
        return raw_headers.reading(COMPILER, folder, "driver")


class ReaderTest(unittest.TestCase):
    maxDiff = None

    def test_reads_every_special_construct(self):
        self.assertEqual(read(HEADER), READING)

    def test_a_group_ends_at_its_closing_mark(self):
        reading = read(HEADER.replace("/** @} */\n/** \\ingroup", "/** \\ingroup").replace("cuThird(", "cuLast("))
        self.assertEqual(reading["functions"]["cuSecond"]["group"], "FIRST")
        self.assertEqual(reading["functions"]["cuLast"]["group"], "FIRST")

    def test_unsupported_declarations_raise_an_error(self):
        for text in ("typedef struct { int few : 3; } CUbits;", "typedef struct { struct { int a; } *b; } CUfar;", "int cuOdd(int"):
            with self.subTest(text), self.assertRaises(c_declarations.UnsupportedDeclaration):
                c_declarations.Parser([(token, "cuda.h", 1) for token in c_declarations.TOKEN.findall(text)])

    def test_integers_have_one_spelling(self):
        for written, spelling in (("unsigned", "unsigned int"), ("long unsigned int", "unsigned long"), ("long long int", "long long"),
                                  ("signed char", "signed char"), ("short", "short"), ("signed", "int"), ("char", "char")):
            self.assertEqual(c_declarations.builtin(written.split()), spelling)


class CacheTest(unittest.TestCase):
    def test_only_a_changed_header_is_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            include = pathlib.Path(folder, "include")
            include.mkdir()
            include.joinpath("part.h").write_text("int cuPart(void);\n", encoding="utf-8")
            include.joinpath("cuda.h").write_text('#include "part.h"\nint cuWhole(void);\n', encoding="utf-8")

            def key():
                return cached_readings.key_of(COMPILER, str(include), "driver")

            first = key()
            self.assertEqual(key(), first)
            include.joinpath("part.h").write_text("int cuPart(int);\n", encoding="utf-8")
            self.assertNotEqual(key(), first)
            reading = cached_readings.read(COMPILER, str(include), "driver", folder, "1.0")
            self.assertEqual([*reading["functions"]], ["cuWhole"])
            self.assertEqual(cached_readings.read(COMPILER, str(include), "driver", folder, "1.0"), reading)


class FactsTest(unittest.TestCase):
    """facts.py converts api.json to one release. An entry is present from `since` until `removed`, except in `absent`."""

    ENTRY = {"name": "CU", "since": "9.2", "removed": "13.0", "absent": ["12.1"], "value": 3,
             "history": [{"until": "11.0", "value": 1}, {"until": "12.2", "value": 2}]}

    def test_an_entry_is_present_from_since_until_removed(self):
        present = {release: facts.is_present(self.ENTRY, release) for release in ("9.1", "9.2", "10.0", "12.0", "12.1", "12.9", "13.0")}
        self.assertEqual([release for release, is_present in present.items() if is_present], ["9.2", "10.0", "12.0", "12.9"])

    def test_a_release_has_its_body_from_the_history(self):
        values = [facts.body(self.ENTRY, release)["value"] for release in ("9.2", "10.0", "11.0", "12.1", "12.2", "12.10")]
        self.assertEqual(values, [1, 1, 2, 2, 3, 3])

    def test_a_name_has_its_meaning_in_the_release(self):
        meanings = [{"since": "12.0", "symbol": "cuA_v2"},
                    {"since": "12.4", "removed": "13.0", "symbol": "cuA_v3", "per_thread": "cuA_v3_ptsz"}]
        names = [facts.public_names({"public_names": {"cuA": meanings}}, {}, release).get("cuA")
                 for release in ("11.0", "12.0", "12.4", "13.0")]
        self.assertEqual(names, [None, ["cuA_v2", ""], ["cuA_v3", "cuA_v3_ptsz"], None])

    def test_fields_are_paths(self):
        pair = {"fields": [{"name": "x", "type": "char", "offset": 0}, {"name": "y", "type": "char", "offset": 1}]}
        union = {"union": True, "fields": [{"name": "pair", "offset": 0, "record": pair, "since": "12.4"}]}
        record = {"since": "12.0",
                  "fields": [{"offset": 8, "record": union}, {"name": "many", "offset": 12, "record": pair, "extents": [3]}],
                  "history": [{"until": "12.4", "fields": [{"name": "old", "type": "int", "offset": 8, "removed": "12.4"}]}]}
        self.assertEqual(facts.fields(record), {"pair": ["struct", 8], "pair.x": ["char", 8], "pair.y": ["char", 9],
                                                "many": ["struct[3]", 12]})
        self.assertEqual(facts.field_lifetimes(record)["pair"], ["12.4", ""])
        self.assertEqual(facts.field_lifetimes(record)["old"], ["12.0", "12.4"])


def generator_json(public_names=(), **lists):
    """Returns the generator's JSON of one library with only the given changes."""
    kinds = {kind: {"added": [], "removed": [], "changed": [], **lists.get(kind, {})}
             for kind in ("functions", "types", "enumerators", "constants", "groups")}
    return {"library": "driver", "public_names": list(public_names), "records": lists.get("records", []), **kinds}


class ComparisonTest(unittest.TestCase):
    def assert_disagrees(self, header, statement, *keys):
        expectation = expected_diff.expected(READING, read(header))
        found = expected_diff.disagreements(expectation, expected_diff.stated(statement))
        self.assertEqual([key for key, _, _ in found], sorted(keys))

    def test_equal_readings_have_no_difference(self):
        self.assert_disagrees(HEADER, generator_json())

    def test_a_change_that_the_generator_states_is_not_reported(self):
        changed = [{"name": "cuPlain", "old": "CUenum ()", "new": "CUenum (int)"}]
        self.assert_disagrees(HEADER.replace("cuPlain(void);", "cuPlain(int);", 1), generator_json(functions={"changed": changed}))
        record = {"name": "CUpod", "old_size": 12, "new_size": 16, "old_alignment": 4, "new_alignment": 4,
                  "fields": {"added": [{"path": "c", "type": "unsigned int", "offset": 12}], "removed": [], "moved": [], "retyped": []}}
        self.assert_disagrees(HEADER.replace("b[2];", "b[2], c;"), generator_json(records=[record]),
                              # No member has the type of the record, but the constant depends on its size.
                              ("constants", "changed", "CU_VALUE"))

    def test_a_change_that_the_generator_misses_is_reported(self):
        self.assert_disagrees(HEADER.replace("CU_ENUM_B,", ""), generator_json(), ("enumerators", "removed", "CU_ENUM_B"))
        self.assert_disagrees(HEADER.replace("cuThird", "cuLast"), generator_json(),
                              ("functions", "added", "cuLast"), ("functions", "removed", "cuThird"))
        self.assert_disagrees(HEADER.replace("#define cuOne_v2 PTSZ(cuOne_v2)\n", ""), generator_json(), ("public_names", "cuOne_v2"))

    def test_a_change_that_only_the_generator_states_is_reported(self):
        self.assert_disagrees(HEADER, generator_json(groups={"added": ["THIRD"]}, constants={"removed": [
            {"name": "CU_OLD", "type": "int", "value": 1}]}), ("groups", "added", "THIRD"), ("constants", "removed", "CU_OLD"))

    def test_a_different_value_is_reported(self):
        added = [{"name": "CU_MORE", "type": "int", "value": 4}]
        header = HEADER.replace("#define CU_LAST", "#define CU_MORE 3\n#define CU_LAST")
        self.assert_disagrees(header, generator_json(constants={"added": added}), ("constants", "added", "CU_MORE"))

    def test_json_without_a_section_is_rejected(self):
        statement = generator_json()
        del statement["records"]
        with self.assertRaises(KeyError):
            expected_diff.stated(statement)

    def test_an_empty_reading_is_implausible(self):
        empty = {kind: {} for kind in raw_headers.KINDS}
        for library in diff_test.MIN_ENTRIES:
            self.assertTrue(diff_test.implausible({("1.0", library): empty}), library)

    def test_a_library_that_the_diff_lacks_is_reported(self):
        readings = {(release, library): READING for release in ("1.0", "2.0") for library in diff_test.MIN_ENTRIES}
        statements = {library: {} for library in diff_test.MIN_ENTRIES if library != "nvrtc"}
        self.assertEqual(diff_test.problems_of_pair(readings, statements, "1.0", "2.0"), ["the diff lacks nvrtc"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

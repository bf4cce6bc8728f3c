# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests that a trace of every function is valid JSON for a strict reader.

usage: trace_json_test.py PROGRAM
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv[1]
SPECS = pathlib.Path(__file__).parents[3] / "api-specs"
WITHOUT_RESULT = {function["name"] for file in SPECS.glob("*/api.json")
                  for function in json.loads(file.read_text(encoding="utf-8"))["functions"] if function["returns"] == "void"}
CALLS = 5  # number of calls that the program makes of each function


def unique_keys(pairs):
    """Returns an object; raises ValueError if a key occurs twice."""
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(f"a key occurs twice in {keys}")
    return dict(pairs)


def reject(constant):
    raise ValueError(f"{constant} is not JSON")


def read(text):
    return json.loads(text, object_pairs_hook=unique_keys, parse_constant=reject)


def trace(kind):
    """Returns the functions that the program called and the text that it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "trace.json")
        called = subprocess.run([PROGRAM, kind, path], check=True, capture_output=True, text=True).stdout.splitlines()
        return called, path.read_bytes().decode("utf-8")  # raises if it is not UTF-8


class TraceJsonTest(unittest.TestCase):
    def test_lines(self):
        called, text = trace("json")
        self.assertTrue(text.endswith("}\n"))
        calls = [read(line) for line in text.split("\n")[:-1]]
        for call in calls:
            for key, kind in {"thread": int, "begin_us": float, "duration_us": float, "library": str, "function": str,
                              "arguments": dict, "results": dict}.items():
                self.assertIs(type(call[key]), kind, call)
            outcomes = 0 if call["function"] in WITHOUT_RESULT else 1
            self.assertEqual(("status" in call) + ("returned" in call), outcomes, call)
        self.check_all(called, [f"{call['library']} {call['function']}" for call in calls])

    def test_chrome(self):
        called, text = trace("chrome")
        events = read(text)
        self.assertEqual(events[-1]["ph"], "M")
        for event in events[:-1]:
            self.assertEqual(event["ph"], "X")
            for key, kind in {"pid": int, "tid": int, "ts": float, "dur": float, "name": str, "cat": str, "args": dict}.items():
                self.assertIs(type(event[key]), kind, event)
            self.assertGreaterEqual(event["dur"], 0)
        self.check_all(called, [f"{event['cat']} {event['name']}" for event in events[:-1]])

    def check_all(self, called, traced):
        self.assertGreaterEqual(len(called), 1140)
        self.assertEqual(collections.Counter(traced), {name: CALLS for name in called})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/wheel-files with an index on this machine.

usage: wheel_files_test.py REPOSITORY
"""
import hashlib
import http.server
import io
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import unittest
import zipfile

SCRIPT = pathlib.Path(sys.argv.pop(1)) / "scripts/wheel-files"
HOST = "localhost"
LIBRARY = random.Random(1).randbytes(9 << 20)  # larger than a small wheel, and does not compress
HEADERS = {"nvidia/toy/include/toy.h": b"int toy();\n", "nvidia/toy/include/deep/er.h": b"\n" * 500_000}


def wheel(files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return data.getvalue()


class Index(http.server.BaseHTTPRequestHandler):
    """An index with the wheels in `wheels`: package to content."""

    wheels, is_json, has_ranges, is_truncated, requests = {}, True, True, False, []

    def do_GET(self):  # pylint: disable=invalid-name
        kind, package = self.path.strip("/").split("/")
        data = Index.wheels[package]
        if kind == "simple":
            file = {"filename": f"{package}-1-py3-none-manylinux_2_5_x86_64.whl", "url": f"/files/{package}", "size": len(data),
                    "hashes": {"sha256": hashlib.sha256(data).hexdigest()}}
            self.reply(200, json.dumps({"files": [file]}).encode(), "application/vnd.pypi.simple.v1+json" if Index.is_json else "text/html")
            return
        begin, end = (int(each) for each in self.headers["Range"].removeprefix("bytes=").split("-"))
        Index.requests.append(end - begin + 1)
        part = data[begin:end + 1]
        self.reply(206 if Index.has_ranges else 200, part[:-1] if Index.is_truncated else part if Index.has_ranges else data, "binary/octet-stream")

    def reply(self, status, data, kind):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        try:
            self.wfile.write(data)
        except ConnectionError:
            pass

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


class WheelFilesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = http.server.ThreadingHTTPServer((HOST, 0), Index)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()

    def setUp(self):
        Index.wheels = {"toy": wheel({**HEADERS, "nvidia/toy/lib/libtoy.so.1": LIBRARY, "toy-1.dist-info/METADATA": "Name: toy"}),
                        "small": wheel(HEADERS)}
        Index.is_json, Index.has_ranges, Index.is_truncated, Index.requests = True, True, False, []
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_script(self, *arguments, status=0):
        environment = {**os.environ, "PIP_INDEX_URL": f"http://{HOST}:{self.server.server_port}/simple/", "no_proxy": "*"}
        done = subprocess.run([sys.executable, "-B", SCRIPT, *arguments], capture_output=True, text=True, env=environment, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def digest(self, package):
        return self.run_script("digest", f"{package}==1", hashlib.sha256(Index.wheels[package]).hexdigest()).stdout.strip()

    def line(self, digest=None):
        return f"toy==1 --hash=sha256:{hashlib.sha256(Index.wheels['toy']).hexdigest()} # headers sha256:{digest or self.digest('toy')}"

    def extract(self, *lines, status=0):
        pins = self.folder / "pins.txt"
        pins.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return self.run_script("extract", str(pins), str(self.folder / "tree"), status=status)

    def unpacked(self):
        tree = self.folder / "tree"
        return {str(path.relative_to(tree)): path.read_bytes() for path in tree.rglob("*") if path.is_file()}

    def test_reads_only_the_headers_of_a_large_wheel(self):
        line = self.line()
        Index.requests = []
        self.assertEqual(self.extract("# comment", line).stdout, "")
        self.assertEqual(self.unpacked(), HEADERS)
        self.assertLess(sum(Index.requests), len(LIBRARY) / 4)

    def test_leaves_other_lines_to_pip(self):
        other = "small==1 --hash=sha256:" + "0" * 64
        self.assertEqual(self.digest("small"), "")
        self.assertEqual(self.extract(other).stdout, other + "\n")
        self.assertEqual(self.unpacked(), {})

    def test_the_digest_depends_on_names_and_contents(self):
        digests = {self.digest("toy")}
        for changed in ({**HEADERS, "nvidia/toy/include/toy.h": b"int toy;\n"}, {**HEADERS, "nvidia/toy/include/new.h": b""}):
            Index.wheels["toy"] = wheel({**changed, "libtoy.so.1": LIBRARY})
            digests.add(self.digest("toy"))
        self.assertEqual(len(digests), 3)

    def test_rejects_headers_with_another_digest(self):
        done = self.extract(self.line("1" * 64), status=1)
        self.assertIn(self.digest("toy"), done.stderr)
        self.assertIn("1" * 64, done.stderr)
        self.assertEqual(self.unpacked(), {})

    def test_leaves_an_index_without_ranges_or_json_to_pip(self):
        line = self.line()
        for name, value in (("has_ranges", False), ("is_json", False), ("is_truncated", True)):
            setattr(Index, name, value)
            done = self.extract(line)
            self.assertEqual(done.stdout, line + "\n", name)
            self.assertIn("toy 1", done.stderr)
            setattr(Index, name, not value)
        self.assertEqual(self.unpacked(), {})

    def test_leaves_a_wheel_that_the_index_does_not_have_to_pip(self):
        line = "toy==1 --hash=sha256:" + "2" * 64 + " # headers sha256:" + "3" * 64
        self.assertEqual(self.extract(line).stdout, line + "\n")

    def test_rejects_paths_that_leave_the_folder(self):
        line = self.line()
        Index.wheels["toy"] = wheel({"../include/evil.h": b"x", "libtoy.so.1": LIBRARY})
        line = line.replace(line.split()[1], f"--hash=sha256:{hashlib.sha256(Index.wheels['toy']).hexdigest()}")
        self.assertIn("../include/evil.h", self.extract(line, status=1).stderr)
        self.assertFalse((self.folder / "include").exists())


unittest.main()

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Caches readings of the headers between runs, in one file per release and library. Its file name contains a hash of all inputs."""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess

import raw_headers
import views

# The scripts that create readings.
SCRIPTS = ("c_declarations.py", "preprocessing.py", "measuring.py", "views.py", "doc_groups.py", "raw_headers.py")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([\w./]+)"', re.M)


def headers_behind(include_dir, header, found=None):
    """Returns the text of a header and of all headers that it includes in quotes, even conditionally."""
    found = {} if found is None else found
    path = pathlib.Path(include_dir, header)
    if header not in found and path.is_file():
        found[header] = path.read_text(encoding="utf-8", errors="replace")
        for each in INCLUDE.findall(found[header]):
            headers_behind(include_dir, each, found)
            headers_behind(include_dir, os.path.join(os.path.dirname(header), each), found)
    return found


def key_of(compiler, include_dir, library):
    """Returns a hash of the headers, of the scripts and of the compiler's version."""
    version = subprocess.run([compiler, "--version"], check=True, capture_output=True, text=True).stdout
    headers = {}
    for header in views.LIBRARIES[library]["headers"]:
        headers_behind(include_dir, header, headers)
    texts = [version, *(text for _, text in sorted(headers.items()))]
    texts += [pathlib.Path(__file__).with_name(name).read_text(encoding="utf-8") for name in SCRIPTS]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def read(compiler, include_dir, library, cache, release):
    file = pathlib.Path(cache, f"{release}-{library}-{key_of(compiler, include_dir, library)}.json")
    if file.is_file():
        return json.loads(file.read_text(encoding="utf-8"))
    for old in file.parent.glob(f"{release}-{library}-*.json"):
        old.unlink()
    reading = raw_headers.reading(compiler, include_dir, library)
    # Written to a separate file and renamed, so that an interrupted run leaves no partial file.
    unfinished = file.with_suffix(f".{os.getpid()}")
    unfinished.write_text(json.dumps(reading, sort_keys=True), encoding="utf-8")
    unfinished.rename(file)
    return json.loads(file.read_text(encoding="utf-8"))


def read_all(compiler, headers, releases, cache, jobs):
    """Returns {(release, library): reading}. Runs `jobs` compilers in parallel."""
    pathlib.Path(cache).mkdir(parents=True, exist_ok=True)
    keys = [(release, library) for release in releases for library in views.LIBRARIES]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        readings = pool.map(lambda key: read(compiler, os.path.join(headers, key[0], "include"), key[1], cache, key[0]), keys)
        return dict(zip(keys, readings))

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles many headers with few processes of clang++, each header in a source file of its own.

Two things make this fast. A process compiles many source files, because a start of clang++ takes longer than most headers. Headers
that many others include are precompiled. A header is compiled with a precompiled header only if it includes that one itself, directly
or through others, before all its declarations. So what is precompiled is what the header includes anyway, and no missing include
is hidden.
"""
import collections
import functools
import pathlib
import re
import shlex
import subprocess
import tempfile

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
INCLUDE = re.compile(r"#include <([\w./]+)>")
USERS = 5  # a header is precompiled if it is the largest of the headers that at least as many others include
BATCH = 40  # source files of a process
# Templates are instantiated after the precompiled header, as they are at the end of a source file, instead of in its users only.
PRECOMPILE = ("-x", "c++-header", "-fpch-instantiate-templates")


class Includes:
    """The includes that precede all declarations and conditions of the headers in {header: text}."""

    def __init__(self, texts):
        self.texts = texts

    @functools.cache
    def of(self, header):
        found = []
        for line in COMMENT.sub("", self.texts.get(header, "")).splitlines():
            include = INCLUDE.fullmatch(line.strip())
            if include:
                found.append(include[1])
            elif line.strip() not in ("", "#pragma once"):
                break
        return found

    @functools.cache
    def behind(self, header):
        """Returns the headers that a header includes, directly or through others."""
        return frozenset(self.of(header)).union(*map(self.behind, self.of(header)))

    def size(self, header):
        """Returns an estimate of the time to compile a header. Those of the standard library are larger."""
        return sum(1 if each in self.texts else 3 for each in self.behind(header)), header

    def largest(self, headers):
        return max((each for each in headers if each in self.texts), key=self.size, default=None)


def frontend(command):
    """Returns the command with which clang++ would start its compiler, which accepts many source files, to compile -."""
    lines = subprocess.run([*command, "-###", "-"], check=True, capture_output=True, text=True).stderr.splitlines()
    words = next(shlex.split(line) for line in lines if '"-cc1"' in line)
    return [each for each in words[:-1] if each != "-disable-free"]  # the memory of each source file is freed


def batches_of(texts):
    """Returns [(precompiled header or None, headers)]."""
    includes = Includes(texts)
    users = collections.Counter(includes.largest(includes.of(each)) for each in texts)
    chosen = {each for each, count in users.items() if count >= USERS}
    groups = collections.defaultdict(list)
    for header in texts:
        groups[includes.largest(chosen & includes.behind(header))].append(header)
    return [(base, group[first:first + BATCH]) for base, group in groups.items() for first in range(0, len(group), BATCH)]


def suspects(command, texts, source_of, pool):
    """Compiles the headers in {header: text}, in the threads of a pool, and returns those of all batches that have an error.
    `command` is that of clang++ without an action. source_of(header) is the source that includes a header."""
    start = frontend([*command, "-fsyntax-only", "-x", "c++"])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def precompiled(base):
            file = folder / f"{base.replace('/', '-')}.pch"
            run = subprocess.run([*command, *PRECOMPILE, "-o", file, "-"], input=f"#include <{base}>\n", capture_output=True, text=True)
            return ["-include-pch", file] if run.returncode == 0 else []

        def has_errors(base, headers):
            options = files[base].result() if base else []
            sources = [folder / f"{header.replace('/', '-')}.cpp" for header in headers]
            for source, header in zip(sources, headers):
                source.write_text(source_of(header), encoding="utf-8")
            return subprocess.run([*start, *options, *sources], capture_output=True).returncode != 0

        batches = batches_of(texts)
        # Begun before the batches that wait for them.
        files = {base: pool.submit(precompiled, base) for base in dict.fromkeys(base for base, _ in batches) if base}
        results = pool.map(lambda batch: has_errors(*batch), batches)
        return [header for (_, headers), failed in zip(batches, results) if failed for header in headers]

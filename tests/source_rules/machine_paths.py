# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that no file names a location of one machine only: home folders, temporary folders, private package registries.

usage: machine_paths.py REPOSITORY
"""
import pathlib
import re
import subprocess
import sys

# Matches the / of an absolute path, including a path directly after a compiler option. A pattern that begins with its / is searched
# faster than one that begins with what may precede it.
START = r"/(?:(?<![\w./$}-]/)|(?<=-[IL]/))"

# Forbidden patterns, with their descriptions.
FORBIDDEN = [
    (re.compile(START + r"(?:home|root|Users)/(?!\.\.\.)[\w.-]+"), "a home folder"),
    (re.compile(START + r"(?:work|workspace|builds|mnt|data)/[\w.-]+"), "a folder of a build machine"),
    (re.compile(START + r"tmp/[\w.-]+"), "a temporary folder by name"),
    (re.compile(r"https?://[\w.-]*(?:artifactory|jfrog|nexus|registry|mirror|proxy)[\w.-]*", re.I), "a registry host"),
    (re.compile(r"https?://(?:localhost|127\.|10\.|192\.168\.)[\w.:-]*"), "an address of one network"),
    (re.compile(r"--(?:extra-)?index-url[ =](?!https://pypi\.org|https://pypi\.nvidia\.com|[\"'$])\S+"),
     "a package index of one site"),
]
# Exceptions: {path: reason}
ALLOWED = {}


def tracked(root):
    """Returns the files of the tree, committed or not, except ignored files."""
    command = ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):  # an unpacked archive
        names = [str(path.relative_to(root)) for path in root.rglob("*")]
    return [root / name for name in sorted(set(names)) if name and not name.startswith(("build/", ".git/"))]


def problems(root):
    root = pathlib.Path(root)
    found = []
    for path in tracked(root):
        name = str(path.relative_to(root))
        if not path.is_file() or name in ALLOWED:
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        # No pattern matches an end of a line. Most files have no match, and are searched faster as a whole.
        if not any(pattern.search(text) for pattern, _ in FORBIDDEN):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            for pattern, what in FORBIDDEN:
                match = pattern.search(line)
                if match:
                    found.append(f"{name}:{number}: {match.group()}: {what}")
    return found


if __name__ == "__main__":
    lines = problems(sys.argv[1])
    print("\n".join(lines) or "No file names a location of one machine.")
    sys.exit(bool(lines))

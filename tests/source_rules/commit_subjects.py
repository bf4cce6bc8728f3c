# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks the subjects of commits, also of merges: "area: what changed", with the areas that CONTRIBUTING.md lists, and at most 72
characters. Commits before the first one in .git-blame-ignore-revs are older than the rule. Without a history, the status is 77.

usage: commit_subjects.py REPOSITORY
"""
import pathlib
import re
import subprocess
import sys

MAX_LENGTH = 72
NOT_AVAILABLE = 77


def areas(root):
    """Returns the areas in the list of CONTRIBUTING.md, which begins with "Areas:" and ends with a blank line."""
    text = (pathlib.Path(root) / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return set(re.findall(r"`([a-z]+)`", re.search(r"^Areas:.*?\n\n", text + "\n\n", re.MULTILINE | re.DOTALL).group()))


def problem(subject, known):
    """Returns what is wrong with a subject, or None."""
    named, separator, what = subject.partition(": ")
    unknown = sorted(set(re.split(r", ?|/", named)) - known) if separator else []
    if not separator or not what:
        return 'it is not of the form "area: what changed"'
    if unknown:
        return f"CONTRIBUTING.md lists no area {', '.join(unknown)}"
    if len(subject) > MAX_LENGTH:
        return f"it has {len(subject)} characters; the maximum is {MAX_LENGTH}"
    return None


def subjects(root):
    """Returns (commit, subject) of each commit that the rule applies to, or None without a history."""
    first = next(line for line in (pathlib.Path(root) / ".git-blame-ignore-revs").read_text().splitlines() if not line.startswith("#"))
    done = subprocess.run(["git", "-C", str(root), "log", "--format=%h %s", f"{first}..HEAD"], capture_output=True, text=True)
    return [tuple(line.split(" ", 1)) for line in done.stdout.splitlines()] if done.returncode == 0 else None


if __name__ == "__main__":
    known, log = areas(sys.argv[1]), subjects(sys.argv[1])
    if log is None:
        print("There is no history of commits.")
        sys.exit(NOT_AVAILABLE)
    lines = [f"{commit}: {subject}: {found}" for commit, subject in log if (found := problem(subject, known))]
    print("\n".join(lines) or f"The subjects of {len(log)} commits follow the rule.")
    sys.exit(bool(lines))

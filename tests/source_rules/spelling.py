# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks hand-written files with codespell, which knows frequent misspellings, and the settings of .codespellrc. Without codespell,
the status is 77.

usage: spelling.py REPOSITORY
"""
import pathlib
import re
import shutil
import subprocess
import sys

from machine_paths import tracked

SETTINGS = pathlib.Path(__file__).resolve().parents[2] / ".codespellrc"
# The generator takes the words of these files from NVIDIA's headers.
GENERATED = re.compile(r"generated/|docs/releases/|api-specs/[^/]+/api\.json$")
NOT_AVAILABLE = 77


def problems(root):
    """Returns the misspelled words as text."""
    root = pathlib.Path(root)
    names = [str(path.relative_to(root)) for path in tracked(root) if path.is_file()]
    names = [name for name in names if not GENERATED.match(name)]
    done = subprocess.run(["codespell", "--config", SETTINGS, *names], cwd=root, capture_output=True, text=True)
    if done.returncode not in (0, 65) or "Traceback" in done.stderr:
        return [f"codespell failed with status {done.returncode}: {done.stderr.strip()}"]
    return done.stdout.splitlines()


if __name__ == "__main__":
    if shutil.which("codespell") is None:
        print("codespell is not installed; scripts/install-packages tests installs it")
        sys.exit(NOT_AVAILABLE)
    lines = problems(sys.argv[1])
    print("\n".join([*lines, "correct them, or add words that are right to .codespellrc"] if lines else ["No word is misspelled."]))
    sys.exit(bool(lines))

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Which headers a file includes, directly and through headers of this repository."""
import functools
import pathlib
import re

FOLDERS = ("benchmarks", "examples", "generator", "runtime", "simulation", "tests", "tools")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
RAW_TEXT = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


class Tree:
    """The files of a repository."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self._folders = [each for folder in (*FOLDERS, "generated") for each in (self.root / folder).rglob("include") if each.is_dir()]
        self._folders += [self.root / each for each in
                          ("generator", "simulation/driver", "simulation/cudart", "simulation/nvml", "simulation", "runtime", "tools/info", "tests")]
        self._folders += sorted((self.root / "runtime").rglob("src"))

    def files(self, *folders, suffixes=(".hpp", ".cpp")):
        return sorted(each for folder in folders for each in (self.root / folder).rglob("*") if each.suffix in suffixes)

    @functools.lru_cache(None)
    def code(self, path):
        """Returns the text of a file without comments and strings."""
        return COMMENT_OR_TEXT.sub("", RAW_TEXT.sub("", path.read_text(encoding="utf-8")))

    @functools.lru_cache(None)
    def _included(self, path):
        own, others = [], set()
        for quote, name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            places = [*path.parents[:len(path.relative_to(self.root).parts)], *self._folders] if quote == '"' else self._folders
            found = next((each / name for each in places if (each / name).is_file()), None)
            if found:
                own.append(found)
            else:
                others.add(name)
        return own, others

    @functools.lru_cache(None)
    def all_included(self, path):
        """Returns the file and the headers of the repository that it includes, and the names of the other headers."""
        seen, pending, others = {path}, [path], set()
        while pending:
            own, foreign = self._included(pending.pop())
            others |= foreign
            pending += [each for each in own if each not in seen]
            seen |= set(own)
        return seen, others

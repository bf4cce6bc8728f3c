# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Writes wheels with the standard library alone, so that they can be built without a network. Equal contents give equal files."""
import base64
import hashlib
import pathlib
import re
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
YEAR_1980 = (1980, 1, 1, 0, 0, 0)  # the earliest time that an archive can state


def version():
    """Returns the version of cubind, which <cubind/version.hpp> alone states."""
    text = (ROOT / "runtime/loader/include/cubind/version.hpp").read_text(encoding="utf-8")
    return ".".join(re.findall(r"^#define CUBIND_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", text, re.MULTILINE))


class WheelFile:
    """A wheel that is being written to a folder. close() adds the files of metadata.

    tag: the interpreters, the ABI and the platform on which the wheel can be installed, such as py3-none-any
    """

    def __init__(self, folder, name, summary, tag, is_pure):
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self.stem = f"{name.replace('-', '_')}-{version()}"
        self.path = folder / f"{self.stem}-{tag}.whl"
        self._heads = name, summary, tag, is_pure
        self._archive = zipfile.ZipFile(self.path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self._records = []

    def add(self, name, content, mode=0o644):
        """Adds a file with this content, which is bytes, or the path of a file."""
        data = content if isinstance(content, bytes) else pathlib.Path(content).read_bytes()
        entry = zipfile.ZipInfo(name, YEAR_1980)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100000 | mode) << 16
        self._archive.writestr(entry, data, compresslevel=9)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self._records.append(f"{name},sha256={digest},{len(data)}\n")

    def add_metadata(self, name, text):
        self.add(f"{self.stem}.dist-info/{name}", text.encode())

    def close(self):
        name, summary, tag, is_pure = self._heads
        page = (HERE / "README.md").read_text(encoding="utf-8")
        self.add_metadata("METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version()}\nSummary: {summary}\n"
                          "License: Apache-2.0\nLicense-File: LICENSE\nRequires-Python: >=3.8\n"
                          f"Description-Content-Type: text/markdown\n\n{page}")
        self.add_metadata("WHEEL", f"Wheel-Version: 1.0\nGenerator: cubind\nRoot-Is-Purelib: {str(is_pure).lower()}\nTag: {tag}\n")
        self.add(f"{self.stem}.dist-info/LICENSE", ROOT / "LICENSE")
        record = f"{self.stem}.dist-info/RECORD"
        self._archive.writestr(zipfile.ZipInfo(record, YEAR_1980), "".join(self._records) + f"{record},,\n")
        self._archive.close()

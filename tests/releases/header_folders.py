# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the headers of each release of a library among those of the releases of CUDA."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "generated"))

import vendor_headers  # noqa: E402


def folders(root, headers, library):
    """Returns {release: folder of headers} for the releases in api.json of a library. `headers` holds RELEASE/include for each
    release of CUDA. Ends the program if the headers of a release are missing."""
    read = {name: json.loads(pathlib.Path(root, "api-specs", library, name).read_text(encoding="utf-8"))
            for name in ("api.json", "library.json")}
    releases, settings = read["api.json"]["releases"], read["library.json"]
    if "release" in settings:
        return {release: pathlib.Path(headers, release, "include") for release in releases}
    place = settings["version"]
    found = {".".join(map(str, vendor_headers.own_version(folder, place))): folder
             for folder in sorted(pathlib.Path(headers).glob("*/include")) if (folder / place["header"]).is_file()}
    missing = [release for release in releases if release not in found]
    if missing:
        raise SystemExit(f"{headers} lacks the headers of {place['product']} {' '.join(missing)}")
    return {release: found[release] for release in releases}

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""pages_test.py REPOSITORY SITE: checks the pages of the site and the links of the Markdown pages. The status is 77 without a site."""

import json
import re
import sys
from pathlib import Path
from urllib.parse import unquote

LIMIT = 200_000  # bytes of a page
LINK = re.compile(r'(?:href|src|data)="([^"]*)"')
ANCHOR = re.compile(r'\b(?:id|name)="([^"]*)"')
ENTRY_POINT = re.compile(r'constinit EntryPoint (\w+)\{\s*\.symbol = "(\w+)",\s+\.since = "([\d.]+)"')
FOREIGN = re.compile(r"^(?:https?|mailto|data|javascript):")


def check_warnings(site):
    return [f"Doxygen: {line}" for line in (site / "warnings.txt").read_text(encoding="utf-8").splitlines()]


def check_sizes(site):
    return [f"{path.relative_to(site)} has {path.stat().st_size} bytes, more than {LIMIT}; split it, see docs/site/README.md"
            for path in sorted(site.rglob("*.html")) if path.stat().st_size > LIMIT]


def check_links(site):
    """Checks that links are relative and lead to a file and a place in it. The place may be a name, which search.js finds."""
    texts = {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    anchors, failures, known = {}, [], {}
    for page, text in sorted(texts.items()):
        folder = page.rpartition("/")[0]
        for link in sorted(set(LINK.findall(text))):
            if FOREIGN.match(link):
                if "src=\"" + link in text:
                    failures.append(f"{page} loads {link}; copy it to the site, which works without a network")
                continue
            path, _, place = unquote(link).partition("#")
            if path.startswith("/") or "\\" in path:
                failures.append(f"{page} has the absolute link {link}; links must be relative, so that the folder can be moved")
                continue
            key = (folder, path)
            if key not in known:
                known[key] = (site / folder / path).resolve().relative_to(site).as_posix() if path else ""
            target = known[key] or page
            if target not in texts:
                if not (site / target).is_file():
                    failures.append(f"{page} links to {link}, which does not exist")
            elif place:
                if target not in anchors:
                    anchors[target] = set(ANCHOR.findall(texts[target]))
                if place not in anchors[target] and not re.search(rf">(?:[\w:]*::)?{re.escape(place)}[^\w]", texts[target]):
                    failures.append(f"{page} links to {link}, but {target} has no such place")
    return failures


def check_functions(repository, site):
    """Checks that each function that is bound has a page with its releases, its parameters and the link to NVIDIA's page."""
    parameters = {}
    for spec in repository.glob("api-specs/*/api.json"):
        for function in json.loads(spec.read_text(encoding="utf-8"))["functions"]:
            parameters[function["name"]] = [each["name"] for each in function["parameters"] if "name" in each]
    failures, count = [], 0
    for source in sorted(repository.glob("generated/*/src/entry_points.cpp")):
        for name, symbol, since in ENTRY_POINT.findall(source.read_text(encoding="utf-8")):
            page = site / "functions" / f"group__{name.replace('_', '__')}.html"
            if not page.is_file():
                failures.append(f"{source.parts[-3]}: {name} has no page")
                continue
            text = page.read_text(encoding="utf-8")
            parts = ['class="memproto"', f"ince {since}", *parameters.get(symbol, [])]
            if symbol in parameters:  # a variable has no page of NVIDIA's
                count += 1
                parts.append(">NVIDIA's page</a>")
            failures += [f"{page.name} lacks {part}" for part in parts if part not in text]
    print(f"{count} functions")
    if f"{count} functions of" not in (site / "libraries.html").read_text(encoding="utf-8"):
        failures.append(f"libraries.html does not state {count} functions")
    return failures


def check_owners(site):
    """Checks that pages of owners have the operations of their views, and that functions name the members that use them."""
    failures = []
    for page, part in (("classcubind_1_1Stream.html", "synchronize"), ("classcubind_1_1Event.html", "is_done"),
                       ("classcubind_1_1Graph.html", "launch"), ("classcubind_1_1DeviceProperties.html", "multiprocessor_count"),
                       ("functions/group__cuStreamSynchronize.html", "StreamRef::synchronize"),
                       ("functions/group__cuMemAlloc__v2.html", "<code>cuMemAlloc</code>")):
        if part not in (site / page).read_text(encoding="utf-8"):
            failures.append(f"{page} lacks {part}")
    return failures


def check_markdown(repository):
    """Checks the links between Markdown pages, with GitHub's anchors, and those to other files."""
    sys.path.insert(0, str(repository / "docs/site"))
    import pages  # the module of the site

    found = {path: pages.Page(repository, path) for path in pages.page_files(repository)}
    failures = []
    for path, page in found.items():
        for target, name in sorted(page.links, key=str):
            if not (repository / target).exists():
                failures.append(f"{path} links to {target}, which does not exist")
            elif name and target in found and name not in found[target].anchors:
                failures.append(f"{path} links to {target}#{name}, which has no such heading")
        failures += [f"{path} shows {image}, which does not exist" for image in sorted(page.images) if not (repository / image).is_file()]
    return failures


def main():
    repository, site = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    if not (site / "index.html").is_file():
        print(f"{site} does not exist, because the test site_build was skipped")
        return 77
    failures = check_warnings(site) + check_sizes(site) + check_links(site) + check_functions(repository, site) + check_owners(site)
    failures += check_markdown(repository)
    for failure in failures[:40]:
        print(failure)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

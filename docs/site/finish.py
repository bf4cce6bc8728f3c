#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""finish.py WORK SITE: links names of functions in the pages that Doxygen wrote, makes large pages smaller, and writes search_index.js.

Doxygen links a name in prose only if it is qualified. Its pages that list everything are removed: the site has lists of its own.
"""

import json
import re
import sys
from pathlib import Path

REMOVED = ["*-members.html", "dir_*.html", "annotated.html", "classes.html", "concepts.html", "files.html", "functions.html", "functions_*.html",
           "globals.html", "globals_*.html", "hierarchy.html", "inherits.html", "modules.html", "namespacemembers.html",
           "namespacemembers_*.html", "namespaces.html", "pages.html"]
LARGE = 100_000  # bytes; smaller pages stay as Doxygen wrote them
TOKEN = re.compile(r"(<[^>]*>)")
# Names that begin with a library's prefix, so that words such as "dim3" and "half" stay words.
NAME = re.compile(r"\b(?:cu|CU|nv|NV|nccl|NCCL)\w{3,}\b")


def link_names(html, urls):
    """Returns a page in which the vendor's names are links; in a large page only the first of each."""
    linked, is_large = set(), len(html) > LARGE

    def link(match):
        url = urls.get(match[0])
        if not url or (is_large and match[0] in linked):
            return match[0]
        linked.add(match[0])
        return f'<a href="{url}">{match[0]}</a>'

    head, mark, body = html.partition('<div class="contents">')
    # The path of folders to a file and the list of the page's parts lead to places that the site does not have.
    head = re.sub(r'<div id="nav-path".*?</div>|<div class="summary">.*?</div>', "", head, flags=re.S)
    body = re.sub(r'<a [^>]*href="namespace\w*\.html#[^>]*>(.*?)</a>', r"\1", body)
    parts, inside = TOKEN.split(body), 0
    for index, part in enumerate(parts):
        if index % 2:
            inside += part.startswith(("<a ", "<title")) - part.startswith(("</a>", "</title"))
        elif inside == 0:
            parts[index] = NAME.sub(link, part)
    return head + mark + "".join(parts)


def compact(html, is_vendor):
    """Returns a page without rows and attributes that show nothing."""
    html = re.sub(r'<tr class="separator:[^"]*"><td class="memSeparator" colspan="2">&#160;</td></tr>\n?', "", html)
    html = re.sub(r'(<a id="[^"]*") name="[^"]*"', r"\1", html)
    html = re.sub(r'<td class="fielddoc"><p >([^<]*?) ?</p>\n', r'<td class="fielddoc">\1', html)
    html = re.sub(r'<tr class="(memitem|memdesc):[^"]*">', r'<tr class="\1:">', html)
    html = html.replace(' align="right" valign="top"', "").replace(' valign="bottom"', "")
    # Enumerators of the vendor's large enums are found by their names; see goToName() in search.js.
    return re.sub(r'<td class="fieldname"><a id="[^"]*"></a>', '<td class="fieldname">', html) if is_vendor else html


def main():
    work, site = (Path(argument) for argument in sys.argv[1:])
    urls = json.loads((work / "names.json").read_text(encoding="utf-8"))
    for folder in (site, site / "functions"):
        for pattern in REMOVED:
            for path in folder.glob(pattern):
                path.unlink()
    (site / "functions" / "index.html").unlink()
    for path in site.glob("*.html"):
        html = path.read_text(encoding="utf-8")
        linked = link_names(html, urls)
        if linked != html:
            path.write_text(linked, encoding="utf-8")
    for path in site.rglob("*.html"):
        if path.stat().st_size > LARGE:
            path.write_text(compact(path.read_text(encoding="utf-8"), path.parent.name == "functions"), encoding="utf-8")

    rows = json.loads((work / "pages.json").read_text(encoding="utf-8"))
    rows += json.loads((work / "names.rows.json").read_text(encoding="utf-8"))
    text = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    (site / "search_index.js").write_text(f"window.cubindNames = [\n{text}\n];\n", encoding="utf-8")


if __name__ == "__main__":
    main()

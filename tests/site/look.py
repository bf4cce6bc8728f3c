#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""look.py SITE [PICTURES]: looks at pages of the site in Chromium, on a desktop and a phone, in both color schemes.

Fails if a page scrolls horizontally, if the search does not find a name within its budget, or if a result does not lead to the name. Writes
a picture of each page to the folder PICTURES, if it is given. The status is 77 without Chromium.
"""

import sys
from pathlib import Path

from browser import Browser, find_chromium

PAGES = ["index", "architecture", "guide", "guide-memory", "all-pages", "topics", "libraries", "group__topic-core-memory", "classcubind_1_1Stream",
         "functions/group__cuMemcpyAsync", "functions/group__driver__memory", "functions/group__CUresult", "releases-13-4-13-5", "benchmarks"]
SHAPES = {"desktop": (1280, 900), "phone": (390, 844)}
BUDGET = 20  # milliseconds for a query

SEARCH = """(async () => {
    const input = document.getElementById("MSearchBox");
    input.dispatchEvent(new Event("focus"));
    while (!cubindSearch.isLoaded()) await new Promise(done => setTimeout(done, 5));
    const times = [];
    for (let run = 0; run < 10; ++run) {
        input.value = QUERY;
        input.dispatchEvent(new Event("input"));
        times.push(Number(document.documentElement.dataset.searchTime));
    }
    const rows = [...document.querySelectorAll("#search-results a")];
    return {time: Math.min(...times), note: document.querySelector("#search-results .nothing")?.textContent ?? "",
        first: rows[0]?.querySelector(".name").textContent ?? "", url: rows[0]?.href ?? ""};
})()"""


def search(browser, query):
    return browser.run(SEARCH.replace("QUERY", repr(query)))


def check_pages(browser, site, pictures):
    failures = []
    for shape, (width, height) in SHAPES.items():
        for scheme in ("light", "dark"):
            browser.show_as(width, height, scheme)
            for page in PAGES:
                browser.open(f"file://{site}/{page}.html")
                wide = browser.run("document.documentElement.scrollWidth")
                if wide > width:
                    failures.append(f"{page}.html on a {shape}: {wide} pixels wide, more than {width}; let the wide part scroll in site.css")
                is_dark = browser.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).every(part => part < 128)")
                if is_dark != (scheme == "dark"):
                    failures.append(f"{page}.html in the {scheme} scheme has the other background")
                if pictures:
                    browser.picture(pictures / f"{shape}-{scheme}-{page.replace('/', '-')}.png")
    return failures


def check_search(browser, site, pictures):
    failures = []
    browser.show_as(*SHAPES["desktop"], "light")
    browser.open(f"file://{site}/functions/group__cuInit.html")
    for query, first in (("cuMemAlloc", "cuMemAlloc"), ("CUMEMALLOC", "cuMemAlloc"), ("cuMemAlloc_v2", "cuMemAlloc_v2"), ("cu", None),
                         ("stream wait", None), ("CU_STREAM_NON_BLOCKING", "CU_STREAM_NON_BLOCKING")):
        result = search(browser, query)
        print(f'"{query}": {result["time"]} ms, first {result["first"]}')
        if first and result["first"] != first:
            failures.append(f'"{query}" finds {result["first"]} first, not {first}')
        if result["time"] > BUDGET:
            failures.append(f'"{query}" takes {result["time"]} ms, more than {BUDGET}')
    for shape, size in SHAPES.items():
        browser.show_as(*size, "light")
        search(browser, "cuStreamWait")
        if pictures:
            browser.picture(pictures / f"search-{shape}.png")
    result = search(browser, "xyzzy")
    if "Nothing found" not in result["note"]:
        failures.append('"xyzzy" shows no "Nothing found"')
    for query in ("CU_STREAM_NON_BLOCKING", "Stream::synchronize", "blocks_for", "CUDA_VERSION"):
        browser.open(search(browser, query)["url"])
        found = browser.run("new Promise(done => setTimeout(() => done(document.querySelector('.found')?.textContent ?? ''), 50))")
        if query.split("::")[-1] not in found:
            failures.append(f'the result of "{query}" shows "{found}", not the name: {browser.run("location.href")}')
        if pictures:
            browser.picture(pictures / f"found-{query.replace('::', '-')}.png")
    return failures


def main():
    site = Path(sys.argv[1]).resolve()
    pictures = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    program = find_chromium()
    if not program:
        print("Chromium is not installed; scripts/install-packages docs installs it")
        return 77
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    with Browser(program) as browser:
        failures = check_pages(browser, site, pictures) + check_search(browser, site, pictures)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

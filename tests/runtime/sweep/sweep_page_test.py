#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""sweep_page_test.py PROGRAM [PICTURES]: looks at the pages of sweeps in Chromium, on a desktop and a phone, in both color schemes.

Fails if a page scrolls horizontally, has an error, is attacked by a name, or does not sort its table. Writes a picture of each page to
the folder PICTURES, if it is given. The status is 77 without Chromium.
"""

import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "site"))
from browser import Browser, find_chromium  # noqa: E402

SHAPES = {"desktop": (1280, 900), "phone": (390, 844)}
ROWS = {"1": 1, "6": 6, "200": 200, "named": 3}
# Sorts by the column with the keyboard, twice, and returns the order of the rows after each.
SORT = """(() => {
    const button = document.querySelectorAll("th button")[COLUMN], orders = [];
    for (const _ of [0, 1]) {
        button.focus();
        button.click();
        orders.push([...document.querySelectorAll("tbody tr")].map(row => row.cells[COLUMN].textContent));
    }
    return {orders, sort: button.parentNode.getAttribute("aria-sort"), focused: document.activeElement === button};
})()"""
# Pixels of the canvas that are not the background.
INK = """(() => {
    const canvas = document.querySelector("canvas");
    const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    let drawn = 0;
    for (let at = 3; at < data.length; at += 4) drawn += data[at] > 0;
    return drawn;
})()"""


def check_page(browser, page, shape, scheme, pictures):
    """Yields what is wrong with the page that is open."""
    width = SHAPES[shape][0]
    wide = browser.run("document.documentElement.scrollWidth")
    if wide > width:
        yield f"{wide} pixels wide, more than {width}"
    if browser.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).every(part => part < 128)") != (scheme == "dark"):
        yield "the background of the other scheme"
    if browser.run("document.querySelectorAll('tbody tr').length") != ROWS[page]:
        yield "another number of rows"
    if browser.run("document.title") == "attacked" or browser.run("document.images.length") > 0:
        yield "a name is read as HTML"
    has_chart = browser.run("Boolean(window.Chart)") and page != "1"
    if browser.run("document.getElementById('charts')?.hidden === false") != has_chart:
        yield "the chart is not shown" if has_chart else "a chart is shown"
    elif has_chart:
        if browser.run(INK) < 1000:
            yield "the chart is empty"
        yield from check_choices(browser, width, pictures and pictures / f"{page}-{shape}-{scheme}-last.png")


def check_choices(browser, width, picture=None):
    """Yields what is wrong after each choice of axes. Takes a picture of the last one."""
    for name in ("x", "y"):
        for choice in range(browser.run(f"document.forms[0].elements.{name}.options.length")):
            browser.run(f"""(() => {{
                const select = document.forms[0].elements.{name};
                select.selectedIndex = {choice};
                select.dispatchEvent(new Event("change"));
            }})()""")
            if browser.run(INK) < 1000 or browser.run("document.documentElement.scrollWidth") > width:
                yield f"the chart with choice {choice} of {name} is empty or too wide"
    if picture:
        browser.picture(picture)
    browser.run("document.forms[0].elements['log-y'].click()")
    if browser.run(INK) < 1000:
        yield "the chart with a changed scale is empty"


def check_sorting(browser):
    """Yields what is wrong with the order of rows; the page has 6."""
    by_size = browser.run(SORT.replace("COLUMN", "0"))
    if by_size["orders"] != [["4096"] * 2 + ["8192"] * 2 + ["16384"] * 2, ["16384"] * 2 + ["8192"] * 2 + ["4096"] * 2]:
        yield f"sizes are sorted as {by_size['orders']}"
    if by_size["sort"] != "descending" or not by_size["focused"]:
        yield f"the state of the header is {by_size}"
    by_time = browser.run(SORT.replace("COLUMN", "2"))["orders"]
    if any(order[-1] != "failed" for order in by_time) or by_time[0][:5] != by_time[1][:5][::-1]:
        yield f"times are sorted as {by_time}"


def main():
    chromium = find_chromium()
    if not chromium:
        print("Chromium is not installed; scripts/install-packages browser installs it")
        return 77
    pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    failures = []
    with tempfile.TemporaryDirectory() as folder, Browser(chromium) as browser:
        subprocess.run([sys.argv[1], folder], check=True, timeout=60)
        browser.call("Page.addScriptToEvaluateOnNewDocument",
                     source="window.problems = []; addEventListener('error', event => problems.push(event.message));")
        for shape, (width, height) in SHAPES.items():
            for scheme in ("light", "dark"):
                browser.show_as(width, height, scheme)
                for page in ROWS:
                    browser.open(f"file://{folder}/{page}.html")
                    if pictures:
                        browser.picture(pictures / f"{page}-{shape}-{scheme}.png")
                    problems = list(check_page(browser, page, shape, scheme, pictures)) + browser.run("problems")
                    failures += [f"{page}.html on a {shape}, {scheme}: {problem}" for problem in problems]
        browser.open(f"file://{folder}/6.html")
        failures += [f"6.html: {problem}" for problem in check_sorting(browser)]
    print("\n".join(failures) or "The pages are right.")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""pages.py REPOSITORY WORK SITE: writes the Markdown pages of the repository to WORK/pages, in the form that Doxygen 1.9 reads.

Doxygen has anchors of its own and does not know GitHub's, so every heading gets an explicit one, and links name the pages of the site. A file
that a page links and that is no page, such as an example, becomes a page, too. Pictures are copied to SITE/images.
"""

import json
import re
import shutil
import sys
from pathlib import Path

FENCE = re.compile(r"^\s*(```+|~~~+)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
# Code, which stays as it is; or a link with its text, which may contain code, or the end of a link that began on an earlier line.
LINK = re.compile(r"(`+[^`]+`+)|(?:(?<!!)\[((?:[^\[\]`]|`[^`]*`)+))?\]\(([^)\s]+)\)")
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")


# Names that Doxygen or this folder gives to pages of its own.
RESERVED = re.compile(r"(?:annotated|classes|concepts|files|functions|globals|hierarchy|inherits|modules|namespaces?|namespacemembers|pages|"
                      r"topics|libraries|all-pages|(?:class|struct|union|concept|namespace|group)_.*)$")


def page_files(repository):
    """Returns all pages, relative to the repository."""
    found = [*repository.glob("*.md"), *repository.glob("docs/**/*.md"), *repository.glob("scripts/**/*.md")]
    return sorted(path.relative_to(repository) for path in found)


def label_of(path):
    """Returns the name of a page of the site, which is also the beginning of its anchors."""
    parts = list(path.with_suffix("").parts) if path.suffix == ".md" else ["file", *path.parts]
    if parts[0] == "docs":
        del parts[0]
    if parts[-1] == "README":
        parts[-1:] = [] if len(parts) > 1 else ["index"]
    label = re.sub(r"[^A-Za-z0-9-]", "-", "-".join(parts))
    return "page-" + label if RESERVED.match(label) else label


def file_of(path):
    return label_of(path) + ".html"


def file_of_image(path):
    return "-".join(path.parts)


def slug(title, taken):
    """Returns GitHub's anchor of a heading; `taken` counts the anchors of the page."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
    text = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
    taken[text] = taken.get(text, -1) + 1
    return text if taken[text] == 0 else f"{text}-{taken[text]}"


def anchor(label, name):
    return label + "_" + re.sub(r"[^A-Za-z0-9_-]", "", name)


def plain(title):
    """Returns a heading without markup."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "").replace("**", "")


def outside_code(line, change):
    """Applies `change` to the parts of a line that are not between backticks."""
    parts = re.split(r"(`+[^`]+`+)", line)
    return "".join(part if part.startswith("`") else change(part) for part in parts)


class Page:
    """One page: its title, its sections as (title, anchor), and its lines for Doxygen."""

    def __init__(self, repository, path):
        self.path, self.label, self.title = path, label_of(path), path.stem
        # Targets as (path, GitHub's anchor), and GitHub's anchors of the headings.
        self.links, self.images, self.anchors = set(), set(), set()
        self.sections, self.lines = [], []
        text = re.sub(r"<!--.*?-->\n?", "", (repository / path).read_text(encoding="utf-8"), flags=re.S)
        fence, taken = "", {}
        if not re.match(r"\s*# ", text):
            text = f"# {path.parent}\n\n{text}"
        for line in text.splitlines():
            mark = FENCE.match(line)
            if mark and (not fence or mark[1].startswith(fence)):
                fence = "" if fence else mark[1]
                self.lines.append(line)
            elif fence or line.startswith("    "):
                self.lines.append(line)
            elif heading := HEADING.match(line):
                self.add_heading(len(heading[1]), heading[2], taken)
            else:
                self.lines.append(self.convert(line))

    def add_heading(self, level, title, taken):
        name = slug(title, taken)
        self.anchors.add(name)
        if level == 1 and len(self.anchors) == 1:
            self.title = plain(title)
            # Doxygen has one page "index": the main page.
            self.lines.append(f"# {self.title} {{#{'mainpage' if self.label == 'index' else self.label}}}")
            self.lines += ["", "[TOC]", ""]
            return
        self.sections.append((plain(title), anchor(self.label, name)))
        self.lines.append(f"{'#' * level} {plain(title)} {{#{anchor(self.label, name)}}}")

    def convert(self, line):
        line = outside_code(line, lambda text: IMAGE.sub(self.image, re.sub(r"([@\\])(?=[A-Za-z])", r"\\\1", text)))
        # Doxygen understands ** before a word only.
        return re.sub(r"\*\*(<a [^>]*>.*?</a>)\*\*", r"<b>\1</b>", LINK.sub(self.link, line))

    def target(self, link):
        return Path(re.sub(r"^(\./)+", "", str((Path("/") / self.path.parent / link).resolve().relative_to("/"))))

    def image(self, match):
        path = self.target(match[2])
        self.images.add(path)
        return f'<img src="images/{file_of_image(path)}" alt="{match[1]}"/>'

    def link(self, match):
        code, text, url = match.groups()
        if code:
            return code
        if not re.match(r"[a-z]+:", url):
            link, _, name = url.partition("#")
            path = self.target(link) if link else self.path
            self.links.add((path, name))
            url = file_of(path) + ("#" + anchor(label_of(path), name) if name else "")
        # Doxygen does not understand code with quotes in the text of a Markdown link, but does in that of an HTML link.
        return f'<a href="{url}">{text}</a>' if text else f"]({url})"


def list_of_pages(pages):
    """Returns a page that lists all others by folder, so that a new page needs no entry anywhere."""
    titles = {".": "The project", "docs": "Using and understanding cubind", "docs/guide": "Guide", "docs/decisions": "Decisions",
              "docs/releases": "Releases", "scripts/releases": "Scripts"}
    lines = ["# All pages {#all-pages}", ""]
    folders = sorted({page.path.parent.as_posix() for page in pages}, key=lambda folder: (list(titles).index(folder)
                     if folder in titles else len(titles), folder))
    folders.sort(key=lambda folder: folder == ".")
    for folder in folders:
        title = titles.get(folder, folder.removeprefix("docs/"))
        lines += ["", f"## {title} {{#{anchor('all-pages', slug(folder, {}))}}}", ""]
        lines += [f"- [{page.title}]({page.label}.html)" for page in pages if page.path.parent.as_posix() == folder]
    return lines


def main():
    repository, work, site = (Path(argument) for argument in sys.argv[1:])
    out = work / "pages"
    out.mkdir(parents=True)
    pages = [Page(repository, path) for path in page_files(repository)]
    for page in pages:
        (out / (page.label + ".md")).write_text("\n".join(page.lines) + "\n", encoding="utf-8")
    (out / "all-pages.md").write_text("\n".join(list_of_pages(pages)) + "\n", encoding="utf-8")

    known = {page.path for page in pages}
    linked = sorted({path for page in pages for path, _ in page.links} - known)
    for path in linked:
        if (repository / path).is_dir():
            inside = sorted(each.relative_to(repository) for each in (repository / path).rglob("*") if each.is_file())
            linked += [each for each in inside if each not in linked and each not in known]
            text = "\n".join(f'- <a href="{file_of(each)}">{each}</a>' for each in inside)
        elif (repository / path).is_file():
            text = f"@{'include' if path.suffix in ('.cpp', '.hpp', '.cu') else 'verbinclude'} {path}"
        else:
            continue  # the test site_pages reports it
        (out / (label_of(path) + ".md")).write_text(f"# {path} {{#{label_of(path)}}}\n\n{text}\n", encoding="utf-8")

    (site / "images").mkdir(parents=True, exist_ok=True)
    for path in sorted({image for page in pages for image in page.images}):
        if (repository / path).is_file():
            shutil.copy(repository / path, site / "images" / file_of_image(path))

    rows = []
    for page in pages:
        rows.append(["d", "", page.label + ".html", page.title])
        # All pages of releases have the same sections.
        if page.sections and "releases" not in page.path.parts:
            rows.append(["s", page.title, page.label + ".html", "\n".join(f"{title}#{name}" for title, name in page.sections)])
    (work / "pages.json").write_text(json.dumps(rows), encoding="utf-8")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""functions.py WORK: completes the headers that cubind-gen has rendered to WORK/generated.

Each line `/// @names FUNCTION` becomes the other names of the function and the members of the classes whose comments name it, which are
read from Doxygen's WORK/xml. Writes the pages topics.md and libraries.md to WORK/pages, the address of each of the vendor's names to
WORK/names.json, and rows of the search index, which search.js describes, to WORK/names.rows.json.
"""

import collections
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

FUNCTION = re.compile(r"^/// @names (\w+)$", re.M)
PUBLIC_NAME = re.compile(r"^inline constexpr auto& (\w+) = (\w+);$", re.M)
VARIABLE = re.compile(r"> (\w+)\(\) noexcept;$", re.M)
LIBRARY = re.compile(r"^/// @defgroup (\w+) \w+: (.*)$", re.M)
ENUM = re.compile(r"^enum (\w+) : [^{]*\{\n(.*?)^\};", re.M | re.S)
ENUMERATOR = re.compile(r"^    (\w+) = ", re.M)
RECORD = re.compile(r"^(struct|union) (\w+) \{", re.M)
TYPE = re.compile(r"^using (\w+) =", re.M)
CONSTANT = re.compile(r"^/// <tr><td>(\w+)</td>", re.M)

# The comment of a member names the function that it calls in parentheses.
IN_PARENTHESES = re.compile(r"\(([^()]*)\)")


def stem_of(name):
    """Returns a name without the parts that distinguish versions and variants for the per-thread default stream."""
    return re.sub(r"(_v\d+)?(_ptds|_ptsz)?$", "", name)


def group_page(name):
    """Returns the address of the page of a group: Doxygen doubles underscores."""
    return f"functions/group__{name.replace('_', '__')}.html"


class Names:
    """The vendor's names: their addresses, and rows of the index."""

    def __init__(self):
        self.urls, self.rows = {}, collections.defaultdict(list)

    def add(self, kind, scope, pattern, name, url):
        self.urls.setdefault(name, url)
        self.rows[kind, scope, pattern].append(name)

    def add_header(self, library, file, text):
        pattern = "functions/group__%.html"
        for name in FUNCTION.findall(text) if file not in ("types", "constants") else []:
            self.add("f", library, pattern, name, group_page(name))
        for name, target in PUBLIC_NAME.findall(text):
            if target.startswith(name):
                self.rows["p", library, pattern].append(f"{name}:{target.removeprefix(name)}")
            else:
                self.rows["p", library, group_page(target)].append(f"{name}:")
            self.urls.setdefault(name, group_page(target))
        if file == "variables":
            for name in VARIABLE.findall(text):
                self.add("f", library, pattern, name, group_page(name))
        if file == "types":
            for name, body in ENUM.findall(text):
                self.add("n", library, pattern, name, group_page(name))
                for enumerator in ENUMERATOR.findall(body):
                    self.add("e", name, group_page(name), enumerator, f"{group_page(name)}#{enumerator}")
            for kind, name in RECORD.findall(text):
                pattern = f"functions/{kind}cubind_1_1{library}_1_1%.html"
                self.add("r", library, pattern, name, pattern.replace("%", name.replace("_", "__")))
        for kind, part, names in (("t", "types", TYPE), ("v", "constants", CONSTANT)):
            page = group_page(f"{library}_{part}")
            for name in names.findall(text) if file == part else []:
                self.add(kind, library, page + "#%", name, f"{page}#{name}")
        if file != "variables" or VARIABLE.search(text):
            self.rows["g", "", group_page(f"{library}_{file}")].append(f"{library}/{file}.hpp")


class Classes:
    """The public classes and topics of Doxygen's XML: rows of the index, and the members whose comments name a function."""

    def __init__(self, folder, functions):
        self.functions, self.users, self.rows, self.topics = functions, collections.defaultdict(dict), [], {}
        for path in sorted(folder.glob("*.xml")):
            for compound in ElementTree.parse(path).getroot().findall("compounddef"):
                is_public = compound.get("prot") != "private" and "detail::" not in compound.findtext("compoundname")
                if is_public and compound.get("kind") in ("class", "struct", "group", "concept", "file"):
                    self.add(compound)

    def add(self, compound):
        if compound.get("kind") == "file":
            path = compound.find("location").get("file")
            if "/include/" in path and compound.find("detaileddescription/para") is not None:
                self.rows.append(["g", "", compound.get("id") + ".html", path.partition("/include/")[2]])
            return
        is_topic = compound.get("kind") == "group"
        name = "" if is_topic else compound.findtext("compoundname").removeprefix("cubind::")
        page = compound.get("id") + ".html"
        scope, _, short = name.partition("<")[0].rpartition("::")
        if is_topic:
            self.rows.append(["d", "", page, compound.findtext("title")])
            classes = [(each.text.removeprefix("cubind::"), each.get("refid")) for each in compound.findall("innerclass")]
            self.topics[compound.findtext("compoundname")] = (compound.findtext("title"), page, classes)
        else:
            self.rows.append(["c", scope, page, short])
            self.find_functions(name, compound, page)
        members = collections.defaultdict(list)
        for member in compound.iter("memberdef"):
            title = member.findtext("name").replace(" ", "")
            if member.get("prot") == "private" or member.get("kind") == "friend" or title == short or title.startswith(("~", "@")):
                continue
            # A base in detail/ is not public: its members are those of the derived class.
            qualified = f"{name}::{title}" if name else (member.findtext("qualifiedname") or title).removeprefix("cubind::")
            place, _, anchor = member.get("id").rpartition("_1")
            if f"{place}.html" == page or "_1_1detail_1_1" in place:
                self.find_functions(qualified, member, f"{place}.html#{anchor}")
            if title not in members[qualified.rpartition("::")[0]]:
                members[qualified.rpartition("::")[0]].append(title)
            for enumerator in member.findall("enumvalue"):
                members[qualified].append(enumerator.findtext("name"))
        self.rows += [["m", scope, page, " ".join(titles)] for scope, titles in members.items()]

    def page(self, order):
        """Returns the lines of a page that lists the classes of each topic, and nested ones after their class."""
        lines = ["# Classes {#topics}", "", "[TOC]", ""]
        for name in order:
            title, page, classes = self.topics[name]
            if not classes and any(other.startswith(name + "-") for other in order):
                continue
            links = [f'<a href="{identifier}.html">{each.partition("<")[0]}</a>' for each, identifier in sorted(classes)]
            lines += [f"## {title} {{#topics_{name}}}", "", ", ".join([f'<a href="{page}">Functions and descriptions</a>', *links]), ""]
        return lines

    def find_functions(self, title, element, address):
        text = " ".join("".join(part.itertext()) for part in element if part.tag.endswith("description"))
        for word in re.findall(r"\w+", " ".join(IN_PARENTHESES.findall(text))):
            if word in self.functions:
                self.users[self.functions[word]].setdefault(title, address)


def names_text(name, publics, family, users):
    lines = []
    if publics:
        lines += ["/// @par Public name", "/// " + ", ".join(f"`{each}`" for each in publics)]
    if len(family) > 1:
        lines += ["/// @par Versions", *(f"/// @ref {each}" for each in family if each != name)]
    if users:
        links = [f'<a href="../{address}">{title}</a>' for title, address in sorted(users.items())]
        lines += ["/// @par Used by", *(f"/// {link}{'' if link is links[-1] else ','}" for link in links)]
    return "\n".join(lines) if lines else "///"


def main():
    work = Path(sys.argv[1])
    headers = {path: path.read_text(encoding="utf-8") for path in sorted((work / "generated").glob("*/include/cubind/*/*.hpp"))}
    names, counts, titles = Names(), collections.Counter(), {}
    publics, families, functions = collections.defaultdict(list), collections.defaultdict(list), {}
    for path, text in headers.items():
        library = path.parent.name
        if "@defgroup" in text:
            names.add_header(library, path.stem, text)
        for name in FUNCTION.findall(text):
            counts[library] += 1
            families[stem_of(name)].append(name)
            functions[name] = name
        for name, target in PUBLIC_NAME.findall(text):
            publics[target].append(name)
            functions[name] = target
        titles.update(LIBRARY.findall(text))
    classes = Classes(work / "xml", functions)
    for path, text in headers.items():
        changed = FUNCTION.sub(
            lambda match: names_text(match[1], publics[match[1]], families[stem_of(match[1])], classes.users[match[1]]), text)
        # Doxygen takes a global name in a comment for a request of a link.
        changed = re.sub(r"^///.*$", lambda match: re.sub(r"(?<!\w)::(?=\w)", "", match[0]), changed, flags=re.M)
        if changed != text:
            path.write_text(changed, encoding="utf-8")

    topics = (work / "topics.txt").read_text(encoding="utf-8").split()
    (work / "pages" / "topics.md").write_text("\n".join(classes.page(topics)) + "\n", encoding="utf-8")
    rows = [[*key, " ".join(each)] for key, each in names.rows.items()]
    (work / "names.json").write_text(json.dumps(names.urls), encoding="utf-8")
    (work / "names.rows.json").write_text(json.dumps(classes.rows + rows), encoding="utf-8")
    lines = ["# Functions {#libraries}", "", f"{sum(counts.values())} functions of {len(counts)} libraries, each on a page of its own.", "",
             "| library | header | functions |", "|---|---|---:|"]
    for library, count in sorted(counts.items(), key=lambda entry: titles[entry[0]].lower()):
        lines.append(f'| <a href="{group_page(library)}">{titles[library]}</a> | `<cubind/{library}.hpp>` | {count} |')
    (work / "pages" / "libraries.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

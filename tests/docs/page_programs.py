#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""page_programs.py PAGE FOLDER [LIBRARY...]: extracts the programs of a documentation page.

Each block of C++ with a main function is a program. All blocks with tests form one program, because they share definitions.
All other blocks are the statements of one program, in their order. If the first displayed block is a program, they can use what
it defines before main(). The blocks of a section, below "## ", have a separate scope within the scope of the blocks before the
first section. #include lines are moved to the top.

A comment "<!-- cpp" is a block that is not displayed. It has a scope of its own, so that no displayed block can use what it
defines: a reader who copies the displayed blocks has all that they need. A comment "<!-- cpp of another side" has none: it
defines what another process or another interface supplies, and what the text describes.

A block of CUDA C++ whose first line is a comment with a name, such as "// saxpy.cu", is a file.

Writes the programs and files to FOLDER. Prints a line for each cubind_add_kernels() on the page, which has its arguments, and a line
for each program: its file, the libraries of the last target_link_libraries() above it on the page, and the given libraries.
"""

import pathlib
import re
import shlex
import sys

PART = re.compile(r"^```(\w+)\n(.*?)^```$|^<!-- (cpp)( of another side)?\n(.*?)^-->$|^(## )", re.DOTALL | re.MULTILINE)
LIBRARIES = re.compile(r"target_link_libraries\(\w+ PRIVATE ([^)]+)\)")
TEST = re.compile(r"^(TEST|TEST_F|TEST_P)\(", re.MULTILINE)
KERNELS = re.compile(r"cubind_add_kernels\(\w+ ([^)]+)\)")
CUDA = re.compile(r"^```cuda\n// (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INCLUDE = re.compile(r"^#include .*$", re.MULTILINE)


def program_of(definitions, scopes):
    """Returns one program of statements. The first scope encloses the others."""
    blocks = [definitions, *(block for scope in scopes for block in scope)]
    includes = [include for block in blocks for include in INCLUDE.findall(block)]
    definitions = INCLUDE.sub("", definitions)
    around, *sections = ["".join(INCLUDE.sub("", block) for block in scope) for scope in scopes]
    sections = ["{\n" + section + "}" for section in sections]
    return "\n".join([*dict.fromkeys(includes), definitions, "int main() {", around, *sections, "}\n"])


def programs(text, given=(), page="page"):
    """Returns pairs of a program's text and its libraries."""
    libraries = list(given)
    mains, tests, scopes, of_statements, definitions = [], [], [[]], None, None
    for part in PART.finditer(text):
        language, block = part[1] or part[3], part[2] or part[5]
        line = text.count("\n", 0, part.start()) + 2
        if part[6]:
            scopes.append([])
        elif language == "cmake":
            named = LIBRARIES.findall(block)
            libraries = list(dict.fromkeys([*named[-1].split(), *given])) if named else libraries
        elif language == "cpp":
            if not libraries:
                raise ValueError("there is a program before the first target_link_libraries(); add one above it")
            if TEST.search(block):
                tests.append((block, libraries))
            elif "int main" in block:
                if definitions is None:
                    definitions = f'#line {line} "{page}"\n{block[:block.index("int main")]}'
                mains.append((block, libraries))
            else:
                of_statements = of_statements or libraries
                definitions = definitions if part[3] else definitions or ""
                has_scope = part[3] and not part[4]
                scopes[-1].append(("{\n" if has_scope else "") + f'#line {line} "{page}"\n{block}' + ("}\n" if has_scope else ""))
    together = [("\n".join(block for block, _ in tests), tests[0][1])] if tests else []
    statements = [(program_of(definitions or "", scopes), of_statements)] if of_statements else []
    return together + mains + statements


def kernels(text):
    """Returns the arguments of each cubind_add_kernels() in a block of CMake."""
    blocks = [part[2] for part in PART.finditer(text) if part[1] == "cmake"]
    return [shlex.split(arguments) for block in blocks for arguments in KERNELS.findall(block)]


def write(file, text):
    """Keeps a file that has this text, so that it is not compiled again."""
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


def main(page, folder, *libraries):
    page, folder = pathlib.Path(page), pathlib.Path(folder)
    try:
        found = programs(page.read_text(encoding="utf-8"), libraries, page)
    except ValueError as error:
        sys.exit(f"{page}: {error}")
    if not found:
        sys.exit(f"{page} has no program")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in CUDA.findall(page.read_text(encoding="utf-8")):
        write(folder / name, text)
    for arguments in kernels(page.read_text(encoding="utf-8")):
        print(";".join(["cubind_add_kernels", *arguments]))
    for number, (text, linked) in enumerate(found):
        file = folder / f"{page.stem}-{number}.cpp"
        write(file, text)
        print(";".join([str(file), *linked]))


if __name__ == "__main__":
    main(*sys.argv[1:])

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that hand-written code calls the operating system only in folders that have its name, such as runtime/platform/linux/.

Other files neither include a header of a system, nor use its types, nor include a header of such a folder. They use the headers of
runtime/platform, or those beside the folder in their own module.

usage: system_headers.py REPOSITORY
"""
import re
import sys

import included_files

FOLDERS = ("runtime", "simulation", "tools", "generator")
SYSTEMS = ("linux", "windows")
# <csignal> and <errno.h> count, because programs use the former for signals of the system, and <cerrno> has the standard errors.
HEADER = re.compile(r"(?:(?:arpa|asm|linux|net|netinet|sys)/[\w/]+|aio|ar|csignal|dirent|dlfcn|elf|errno|fcntl|fnmatch|ftw|glob|grp|ifaddrs|io|libgen|link|"
                    r"malloc|mqueue|netdb|poll|process|pthread|pty|pwd|sched|semaphore|shadow|signal|spawn|syslog|termios|ucontext|unistd|utime|wait|windows|"
                    r"winsock2)(?:\.h)?")
STANDARD = {"process", "semaphore", "signal.hpp"}  # names without ".h" that are no headers of a system
TYPE = re.compile(r"\b(?:(?:dev|gid|ino|mode|nlink|off|pid|pthread|sigset|socklen|ssize|uid)_t|Elf(?:32|64)_\w+|ElfW|Dl_info|link_map|struct stat)\b")


def is_of_system(header):
    return HEADER.fullmatch(header) is not None and header not in STANDARD


def reason(quote, name):
    """Returns why a file that belongs to no system must not include a header, or None."""
    if quote == "<" and is_of_system(name):
        return "only a folder linux/ may include headers of the operating system"
    if quote == '"' and set(name.split("/")[:-1]) & set(SYSTEMS):
        return "only a folder linux/ may include its headers"
    return None


def problems(root):
    """Returns the lines that violate the rule, as text."""
    tree = included_files.Tree(root)
    found = []
    for path in tree.files(*FOLDERS, suffixes=(".hpp", ".cpp", ".h", ".inc", ".in")):
        place = path.relative_to(tree.root)
        if set(place.parts[:-1]) & set(SYSTEMS):
            continue
        text = path.read_text(encoding="utf-8")
        for match in included_files.INCLUDE.finditer(text):
            broken = reason(match[1], match[2])
            if broken:
                found.append(f"{place}:{text.count(chr(10), 0, match.start(2)) + 1}: {match[2]}: {broken}")
        for number, line in enumerate(text.splitlines(), 1):
            match = TYPE.search(included_files.COMMENT_OR_TEXT.sub("", line))
            if match:
                found.append(f"{place}:{number}: {match[0]}: only a folder linux/ may use types of the operating system")
    return found


if __name__ == "__main__":
    lines = problems(sys.argv[1])
    print("\n".join(lines) or "Only folders of an operating system include its headers.")
    sys.exit(bool(lines))

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""headers.py REPOSITORY WORK: copies the public headers to WORK/headers, each with the group of its folder, and
writes the order of the groups to WORK/topics.txt.

A group is a page with the classes and the functions of a topic. Without groups, Doxygen writes all functions of namespace cubind on one page
of half a megabyte. Lines keep their numbers, so that Doxygen's messages name the lines of the repository's files.
"""

import re
import sys
from pathlib import Path

# The topics in the order of the page "Classes". A folder that is missing here has the name of the folder as its title.
TOPICS = {
    "core": "Classes of <cubind/core.hpp>",
    "core/device": "Devices and contexts",
    "core/stream": "Streams, events and green contexts",
    "core/memory": "Memory",
    "core/array": "Arrays, textures and tensor maps",
    "core/strided": "Strided views",
    "core/program": "Programs and linking",
    "core/launch": "Kernels and launches",
    "core/graph": "Graphs",
    "core/lifetime": "Lifetime of objects",
    "core/process": "The process: checkpoints, core dumps, logs",
    "core/testing": "Testing",
    "error": "Errors and check()",
    "file": "Files and memory of devices",
    "functions": "Functions of all libraries: results, failures, search",
    "interop": "Interoperation with graphics",
    "kernels": "Kernels of .cu files",
    "nvtx": "Ranges for profilers",
    "profile": "Recordings of what CUDA does",
    "sweep": "Sweeps",
    "system": "Management of GPUs",
    "layers": "Layers",
    "sim": "The simulated driver",
}
# A declaration without a comment, ahead of a definition, would put the class into the topic of this header, too.
FORWARD = re.compile(r"^(///[^\n]*\n)?(?:template <[^\n]*>\n?)?(?:class|struct) \w+;$", re.M)
NAMESPACE = re.compile(r"^namespace CUBIND_NAMESPACE[\w:]* \{$")


def topic_of(header):
    """Returns the topic of a header, from its folder below cubind/."""
    parent = header.parent.as_posix()
    if parent != ".":
        return parent
    if header.stem in TOPICS:
        return header.stem
    return "error" if header.stem in ("check", "error") else "functions"


def group_of(topic):
    return "topic-" + topic.replace("/", "-")


def grouped(text, group):
    """Returns the text of a header with everything but namespaces `detail` in the group."""
    begin, end = f"  /** @addtogroup {group} */ /** @{{ */", "/** @} */  "
    lines, is_open, only_declares = [], False, False
    text = FORWARD.sub(lambda match: match[0] if match[1] else "\n" * match[0].count("\n"), text)
    for line in text.split("\n"):
        if NAMESPACE.match(line) and "::detail" not in line:
            line, is_open = line + begin, True
        elif is_open and re.match(r"namespace detail(::\w+)* \{$", line):
            line, only_declares = end + line, True
        elif is_open and (line.startswith("}  // namespace detail") or (line == "}" and only_declares)):
            line, only_declares = "}" + begin + line[1:], False
        elif is_open and line.startswith("}  // namespace CUBIND_NAMESPACE"):
            line, is_open = end + line, False
        elif line and not line.endswith(";"):
            only_declares = False
        lines.append(line)
    return "\n".join(lines)


def main():
    repository, work = (Path(argument) for argument in sys.argv[1:])
    folders = [*repository.glob("runtime/**/include/cubind"), repository / "simulation/include/cubind"]
    # Generated bases of classes, such as that of DeviceProperties. Their operations are those of the classes.
    (work / "headers").mkdir(parents=True)
    for path in work.glob("generated/*/include/cubind/*/*_attributes.hpp"):
        path.rename(work / "headers" / path.name)
    topics = set(TOPICS)
    for folder in folders:
        for path in sorted(folder.rglob("*.hpp")):
            header = path.relative_to(folder)
            text = path.read_text(encoding="utf-8")
            if "detail" not in header.parts:
                topics.add(topic_of(header))
                text = grouped(text, group_of(topic_of(header)))
            out = work / "headers" / path.relative_to(repository)
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text(text, encoding="utf-8")
    order = [*TOPICS, *sorted(topics - set(TOPICS))]
    lines = []
    for topic in order:
        lines.append(f"/// @defgroup {group_of(topic)} {TOPICS.get(topic, topic)}")
        if "/" in topic:
            lines.append(f"/// @ingroup {group_of(topic.split('/')[0])}")
        lines.append("")
    (work / "headers" / "topics.hpp").write_text("\n".join(lines), encoding="utf-8")
    (work / "topics.txt").write_text("\n".join(group_of(topic) for topic in order), encoding="utf-8")


if __name__ == "__main__":
    main()

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that includes point downwards: between the layers of the tree, and between the folders within a layer.

usage: include_rules.py REPOSITORY
"""
import json
import pathlib
import re
import sys

VENDOR = re.compile(r"(cuda\w*|nvrtc|nvJitLink|cublas\w*|cufft\w*|cufile|curand|cusolver\w*|cusparse\w*|nvjpeg|driver_types|library_types|surface_types|texture_types|vector_types)\.h")
SOURCES = {".hpp", ".cpp", ".h", ".mustache"}

# The folders of each source tree, lowest first. A folder includes only itself and lower folders. Files directly in the tree are
# headers for every folder, or sources above all folders. A folder of a tree can have an entry of its own; includes within it are
# written relative to the outer tree.
FLOORS = {
    "generator": ("clang", "spec", "extract", "model", "emit", "diff", "commands"),
    "runtime/core/src": ("support", "context", "device", "event", "green_context", "stream", "memory", "array", "interop", "kernel", "object_code",
                         "launch", "strided", "graph", "cache", "options", "link", "program", "process", "profiling"),
    "runtime/system/src": ("support", "host", "part", "device", "event"),
    "runtime/layers/src": ("support", "values", "objects", "chain", "trace", "faults", "leaks", "validate"),
    "runtime/sim/cudart": ("support", "state", "convert", "api"),
    "runtime/sim/nvml": ("support", "state", "api"),
    "runtime/sim/src": ("support", "ptx", "objects", "work", "graph", "machine", "api"),
    "runtime/sim/src/objects": ("device", "stream", "context", "event", "green", "pool", "memory", "virtual", "array", "texture", "module"),
    "tools/info": ("support",),
}


def includes(path):
    """Yields (line number, included name) for each #include line of a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
        if match:
            yield number, match.group(1)


def public_headers(root, folder):
    base = root / folder / "include"
    return {str(each.relative_to(base)) for each in base.rglob("*.hpp")}


def used_libraries(root, library):
    """Returns the libraries whose types a library uses, directly or through another."""
    file, found = root / "api-specs" / library / "library.json", set()
    if file.is_file():
        for each in json.loads(file.read_text(encoding="utf-8")).get("uses", []):
            found |= {each} | used_libraries(root, each)
    return found


def path_in(root, tree, included):
    """Returns the parts of the path of an included file below a tree, or an empty tuple if the file is elsewhere."""
    for outer in FLOORS:
        path = pathlib.PurePosixPath(outer, included)
        if (tree == outer or tree.startswith(outer + "/")) and path.is_relative_to(tree) and (root / path).is_file():
            return path.relative_to(tree).parts
    return ()


def floor_problems(root):
    """Returns the include lines that lead to a folder that is not lower, and the folders that FLOORS lacks, as text."""
    found = []
    for tree, floors in FLOORS.items():
        level = {folder: number for number, folder in enumerate(floors)}
        for path in sorted((root / tree).rglob("*")):
            if path.suffix not in SOURCES or len(path.relative_to(root / tree).parts) == 1:
                continue
            place, folder = path.relative_to(root), path.relative_to(root / tree).parts[0]
            if folder not in level:
                found.append(f"{place}: {tree} has a folder {folder} that FLOORS in include_rules.py does not have")
                continue
            for number, included in includes(path):
                target = next(iter(path_in(root, tree, included)), None)
                if target == folder or target not in level:
                    continue
                if level[target] > level[folder]:
                    found.append(f"{place}:{number}: {included}: {folder} is not above {target} in {tree}")
    return found


def problems(root):
    """Returns the include lines that violate a rule, as text."""
    root = pathlib.Path(root)
    generated = sorted(each.name for each in (root / "generated").iterdir() if each.is_dir())
    loader = public_headers(root, "runtime/loader")
    layers = {name: public_headers(root, f"runtime/{name}") for name in ("core", "error", "layers", "sim", "system")
              if (root / "runtime" / name).is_dir()}
    libraries = {name: public_headers(root, f"generated/{name}") for name in generated}
    usable = {name: set().union(*(libraries.get(each, set()) for each in {name} | used_libraries(root, name))) for name in generated}
    upper = set().union(*layers.values())
    all_libraries = set().union(*libraries.values())

    def rule(path, included):
        place = path.relative_to(root).parts
        is_vendor = VENDOR.fullmatch(included) is not None
        is_clang = included.startswith("clang-c/")
        if is_clang and place[:2] != ("generator", "clang"):
            return "only generator/clang may include <clang-c/...>"
        if place[0] == "generator":
            if included.startswith("cubind/") or "runtime/" in included or "generated/" in included or is_vendor:
                return "the generator must not include headers of runtime/, generated/ or the vendor"
        elif place[:2] == ("runtime", "loader"):
            if is_vendor:
                return "layer 0 must not include vendor headers"
            if included in upper or included in all_libraries:
                return "layer 0 must not include headers of layers 1 and 2"
            if included.startswith("cubind/") and included not in loader:
                return "layer 0 may include only its own headers"
        elif place[0] == "generated":
            if is_vendor and path.name != "vendor.hpp":
                return "only vendor.hpp may include vendor headers"
            if included in upper:
                return "layer 1 must not include headers of layer 2"
            if included.startswith("cubind/") and included not in loader and included not in usable[place[1]]:
                return "a library of layer 1 may include only layer 0, itself and the libraries that it uses"
        elif place[:2] == ("runtime", "sim") and place[2] in ("cudart", "nvml"):
            own = root / "runtime/sim" / place[2]
            is_simulation = (root / "runtime/sim/src" / included).is_file() and not (own / included).is_file()
            if is_vendor:
                return f"the simulated {place[2]} must not include vendor headers"
            if included in upper or is_simulation:
                return f"the simulated {place[2]} is a client of the driver and must not include headers of its simulation"
        elif place[:2] == ("runtime", "error"):
            if is_vendor or included in upper - layers.get("error", set()):
                return "the exceptions must not include vendor headers or headers of the classes"
        elif place[:2] == ("runtime", "system"):
            if is_vendor:
                return "layer 2 must not include vendor headers"
            if included in layers.get("core", set()) and path.name != "cuda_device.hpp":
                return "cubind::system must not include headers of cubind::core, except in cuda_device.hpp"
        elif place[:2] == ("runtime", "core"):
            if is_vendor:
                return "layer 2 must not include vendor headers"
            if included in layers.get("system", set()):
                return "cubind::core must not include headers of cubind::system"
        return None

    found = floor_problems(root)
    for folder in ("generator", "runtime", "generated"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SOURCES or not path.is_file():
                continue
            for number, included in includes(path):
                broken = rule(path, included)
                if broken:
                    found.append(f"{path.relative_to(root)}:{number}: {included}: {broken}")
    return found


if __name__ == "__main__":
    lines = problems(sys.argv[1])
    print("\n".join(lines) or "Every include follows the rules.")
    sys.exit(bool(lines))

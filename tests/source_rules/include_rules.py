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
    "generator": ("linux", "clang", "spec", "extract", "model", "kernels", "emit", "diff", "commands"),
    "runtime/loader/src": ("search", "intercept", "resolve"),
    "runtime/core/src": ("errors", "files", "lifetime", "calls", "device", "stream", "memory", "array", "launch", "program", "strided", "graph",
                         "process", "testing"),
    "runtime/core/src/program": ("options", "object_code", "cache", "link"),
    "runtime/system/src": ("support", "host", "part", "device", "event"),
    "runtime/math/base/src": ("operand", "plan"),
    "runtime/math/blas/src": ("blas", "matmul"),
    "runtime/math/contraction/src": ("contraction",),
    "runtime/math/fft/src": ("fft",),
    "runtime/math/random/src": ("random",),
    "runtime/math/solver/src": ("solver",),
    "runtime/math/sparse/src": ("matrix", "solver"),
    "runtime/math/device/src": ("support", "device"),
    "runtime/nccl_core/src": ("support", "communicator"),
    "runtime/nvshmem_core/src": ("support", "team", "session", "device"),
    "runtime/file/src": ("support", "storage", "cufile", "staging", "transfer", "file", "batch"),
    "runtime/layers/src": ("support", "values", "objects", "chain", "trace", "faults", "leaks", "validate", "nvtx"),
    "simulation/ptx": ("text", "program", "forms", "fidelity", "run", "handlers", "decode", "check", "link"),
    "simulation/compilers": ("object", "replacements", "static_runtime", "linux"),
    "simulation/cudart": ("support", "state", "convert", "api"),
    "simulation/nvml": ("support", "state", "api"),
    "simulation/driver": ("support", "objects", "work", "graph", "machine", "api"),
    "simulation/driver/objects": ("device", "stream", "context", "event", "green", "pool", "memory", "virtual", "array", "texture", "module"),
    "simulation": ("include", "shared", "ptx", "driver", "cudart", "nvml", "compilers"),
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


# The layers of runtime/ that each of them may include, besides the loader and its own headers.
RUNTIME_LAYERS = {
    "core": ("error",),
    "system": ("error",),
    "interop": ("core", "error"),
    "kernels": ("core", "error"),
    "nvtx": ("core", "error"),
    "profile": ("core", "error"),
    "math_base": ("core", "error"),
    **{f"math_{part}": ("math_base", "core", "error") for part in ("blas", "contraction", "fft", "random", "solver", "sparse")},
    "math": ("math_blas", "math_contraction", "math_fft", "math_random", "math_solver"),
    "math_device": ("core", "error"),
    "sweep": ("core", "error"),
    "bootstrap": ("core", "error"),
    "nccl_core": ("bootstrap", "core", "error"),
    "nvshmem_core": ("bootstrap", "core", "error"),
    "file": ("core", "error"),
}
EXCEPTIONS = {("cuda_device.hpp", "core")}  # its definitions are inline, so that cubind::system does not link cubind::core

# The folders of public headers of the trees above. A header in a subfolder counts to the folder of that name, another one to the folder
# of its source, which has the same name. Those of the loader declare the types that all of its folders use, and are below them.
PUBLIC = {
    "runtime/core/src": "runtime/core/include/cubind/core",
    "runtime/system/src": "runtime/system/include/cubind/system",
    "runtime/math/base/src": "runtime/math/base/include/cubind/math_base",
    "runtime/math/blas/src": "runtime/math/blas/include/cubind/math",
    "runtime/math/sparse/src": "runtime/math/sparse/include/cubind/math_sparse",
    "runtime/math/device/src": "runtime/math/device/include/cubind/math_device",
    "runtime/nccl_core/src": "runtime/nccl_core/include/cubind/nccl_core",
    "runtime/nvshmem_core/src": "runtime/nvshmem_core/include/cubind/nvshmem_core",
    "runtime/file/src": "runtime/file/include/cubind/file",
    "runtime/layers/src": "runtime/layers/include/cubind/layers",
}


def public_folders(root, tree):
    """Returns the folders of a tree to which its public headers count, by their path in #include lines."""
    if tree not in PUBLIC:
        return {}
    base, found = root / PUBLIC[tree], {}
    include = base
    while include.name != "include":
        include = include.parent
    sources = {each.stem: each.relative_to(root / tree).parts[0] for each in (root / tree).rglob("*.cpp") if each.parent != root / tree}
    for header in base.rglob("*.hpp"):
        parts = header.relative_to(base).parts
        folder = parts[0] if parts[0] in FLOORS[tree] else sources.get(header.stem) if len(parts) == 1 or parts[0] == "detail" else None
        if folder is not None:
            found[str(header.relative_to(include))] = folder
    return found


def files_of_floors(root, tree):
    """Yields each file of a tree and of its public headers, with the folder of the tree that it counts to."""
    for path in sorted((root / tree).rglob("*")):
        parts = path.relative_to(root / tree).parts
        if path.suffix in SOURCES and len(parts) > 1:
            yield path, parts[0]
    for name, folder in sorted(public_folders(root, tree).items()):
        yield next(each for each in (root / PUBLIC[tree]).parents if each.name == "include") / name, folder


def floor_problems(root):
    """Returns the include lines that lead to a folder that is not lower, and the folders that FLOORS lacks, as text."""
    found = []
    for tree, floors in FLOORS.items():
        level = {folder: number for number, folder in enumerate(floors)}
        public = public_folders(root, tree)
        for path, folder in files_of_floors(root, tree):
            place = path.relative_to(root)
            if folder not in level:
                found.append(f"{place}: {tree} has a folder {folder} that FLOORS in include_rules.py does not have")
                continue
            for number, included in includes(path):
                target = public.get(included) or next(iter(path_in(root, tree, included)), None)
                if target == folder or target not in level:
                    continue
                if level[target] > level[folder]:
                    found.append(f"{place}:{number}: {included}: {folder} is not above {target} in {tree}")
    return found


def problems(root):
    """Returns the include lines that violate a rule, as text."""
    root = pathlib.Path(root)
    generated = sorted(each.name for each in (root / "generated").iterdir() if each.is_dir())
    layers = {each.parent: "_".join(each.parent.relative_to(root / "runtime").parts) for each in (root / "runtime").rglob("include")}
    headers = {name: public_headers(root, folder) for folder, name in layers.items()}
    libraries = {name: public_headers(root, f"generated/{name}") for name in generated}
    usable = {name: set().union(*(libraries.get(each, set()) for each in {name} | used_libraries(root, name))) for name in generated}
    loader = headers.get("loader", set())
    upper = set().union(*(each for name, each in headers.items() if name != "loader"), public_headers(root, "simulation"))
    all_libraries = set().union(*libraries.values())

    def layer_rule(path, name, included):
        """Returns why a layer of runtime/ must not include a header, or None."""
        owner = next((each for each, own in headers.items() if included in own), None)
        if owner not in (None, name, "loader") and owner not in RUNTIME_LAYERS.get(name, ()) and (path.name, owner) not in EXCEPTIONS:
            return f"runtime/{name} must not include headers of runtime/{owner}"
        if included in public_headers(root, "simulation"):
            return "nothing but tests and tools includes the simulation"
        return None

    def rule(path, included):
        place = path.relative_to(root).parts
        is_vendor = VENDOR.fullmatch(included) is not None
        is_clang = included.startswith("clang-c/")
        if is_clang and place[:2] != ("generator", "clang"):
            return "only generator/clang may include <clang-c/...>"
        if place[0] == "generator":
            if included.startswith("cubind/") or "runtime/" in included or "generated/" in included or is_vendor:
                return "the generator must not include headers of runtime/, generated/ or the vendor"
        elif place[0] == "generated":
            if is_vendor and path.name != "vendor.hpp":
                return "only vendor.hpp may include vendor headers"
            if included in upper:
                return "layer 1 must not include headers of layer 2"
            if included.startswith("cubind/") and included not in loader and included not in usable[place[1]]:
                return "a library of layer 1 may include only layer 0, itself and the libraries that it uses"
        elif is_vendor:
            return "hand-written code must not include vendor headers"
        elif place[:2] == ("runtime", "platform"):
            if included.startswith("cubind/") and included != "cubind/detail/abi.hpp":
                return "the floor below the loader must not include headers of any layer"
        elif place[:2] == ("runtime", "loader") and (included in all_libraries or included.startswith("cubind/") and included not in loader):
            return "layer 0 must not include headers of higher layers"
        elif place[0] == "runtime":
            return layer_rule(path, next((layers[each] for each in path.parents if each in layers), place[1]), included)
        elif place[0] == "simulation":
            own = root / "simulation" / place[1]
            is_driver = (root / "simulation/driver" / included).is_file() and not (own / included).is_file()
            if included in upper and not included.startswith("cubind/sim/"):
                return "the simulation must not include headers of runtime/ above layer 0"
            if place[1] in ("cudart", "nvml", "compilers") and (is_driver or included.startswith("cubind/sim/")):
                return f"the simulated {place[1]} is a client of the driver and must not include headers of its simulation"
        return None

    found = floor_problems(root)
    for folder in ("generator", "runtime", "simulation", "generated"):
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

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that every public header compiles alone, and that all together compile with each compiler, without exceptions and RTTI and
with warnings as errors.

clang++ compiles the headers alone if it is installed, because it is faster. All compilers use the same standard library, so that a
header that includes what it needs does so for each of them. precompiled.py does so with few processes, and
each header of a process with an error is compiled again, to report it. vendor.hpp and vendor_layout.hpp are not checked here, because
they include the vendor's headers.

usage: headers_alone.py REPOSITORY COMPILER...
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

import precompiled

OPTIONS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-fno-exceptions", "-fno-rtti"]
WITHOUT_NAMESPACE = {"cubind/version.hpp"}

MISSING = "cubind/no_such_header.hpp"


def include_dirs(root):
    return sorted(each for folder in ("runtime/**", "simulation", "generated/*") for each in root.glob(f"{folder}/include"))


def headers(root):
    """Returns {header: text}."""
    return {str(path.relative_to(base)): path.read_text(encoding="utf-8") for base in include_dirs(root)
            for path in sorted(base.rglob("*.hpp")) if path.name not in ("vendor.hpp", "vendor_layout.hpp")}


def command(compiler, root):
    return [compiler, *OPTIONS, *(f"-I{each}" for each in include_dirs(root))]


def source_of(headers_to_include):
    """Returns a source that includes each header twice to check its include guard. It requires that the first header defines
    CUBIND_NAMESPACE; otherwise the header would silently declare a namespace of that name."""
    text = "".join(f"#include <{each}>\n#include <{each}>\n" for each in headers_to_include)
    if headers_to_include[0] not in WITHOUT_NAMESPACE:
        text += '#ifndef CUBIND_NAMESPACE\n#error "the header does not include <cubind/detail/abi.hpp>"\n#endif\n'
    return text


def errors_of(compiler, root, headers_to_include):
    """Returns the compiler's errors, or an empty text."""
    result = subprocess.run([*command(compiler, root), "-fsyntax-only", "-x", "c++", "-"], input=source_of(headers_to_include),
                            capture_output=True, text=True)
    return result.stderr[:2000] or "failed" if result.returncode else ""


def errors_alone(compiler, root, texts, pool):
    """Returns {header: errors} of the headers that do not compile alone."""
    names = list(texts)
    if "clang" in compiler:
        suspects = precompiled.suspects(command(compiler, root), {**texts, MISSING: ""}, lambda name: source_of([name]), pool)
        if MISSING not in suspects:
            return {MISSING: "the compiler reports no error for a missing header"}
        names = [each for each in suspects if each != MISSING]
    results = zip(names, pool.map(lambda name: errors_of(compiler, root, [name]), names))
    return {name: errors for name, errors in results if errors}


def main(repository, compilers):
    root = pathlib.Path(repository)
    texts = headers(root)
    names = list(texts)
    compilers = [each for each in compilers if shutil.which(each)]
    if len(names) < 50 or not compilers:
        print(f"{len(names)} headers and {len(compilers)} compilers found: nothing is tested")
        return 1
    alone = next((each for each in compilers if "clang" in each), compilers[0])
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        together = [pool.submit(errors_of, compiler, root, names) for compiler in compilers]
        results = [(f"<{name}> with {alone}", errors) for name, errors in errors_alone(alone, root, texts, pool).items()]
        results += [(f"all headers together with {compiler}", each.result()) for compiler, each in zip(compilers, together)]
    for what, errors in results:
        if errors:
            failed += 1
            print(f"{what}:\n{errors}")
    # A command line that always succeeds would hide all errors.
    for compiler in compilers:
        if not errors_of(compiler, root, [MISSING]):
            print(f"{compiler} reports no error for a missing header")
            failed += 1
    print(f"{len(names)} headers with {', '.join(compilers)}, alone with {alone}: {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))

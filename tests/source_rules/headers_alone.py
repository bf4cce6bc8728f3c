# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that every public header compiles alone, and that all together compile with each compiler, without exceptions and RTTI and
with warnings as errors.

clang++ compiles the headers alone if it is installed, because it is faster. All compilers use the same standard library, so that a
header that includes what it needs does so for each of them. vendor.hpp and vendor_layout.hpp are not checked here, because they include the vendor's headers.

usage: headers_alone.py REPOSITORY COMPILER...
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

OPTIONS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-fno-exceptions",
           "-fno-rtti"]
WITHOUT_NAMESPACE = {"cubind/version.hpp"}


def include_dirs(root):
    return sorted(each for folder in ("runtime", "generated") for each in (root / folder).glob("*/include"))


def headers(root):
    for base in include_dirs(root):
        for path in sorted(base.rglob("*.hpp")):
            if path.name not in ("vendor.hpp", "vendor_layout.hpp"):
                yield str(path.relative_to(base))


def errors_of(compiler, root, headers_to_include):
    """Returns the compiler's errors, or an empty text. Includes each header twice to check its include guard. Requires that the first
    header defines CUBIND_NAMESPACE; otherwise the header would silently declare a namespace of that name."""
    command = [compiler, *OPTIONS, *(f"-I{each}" for each in include_dirs(root)), "-x", "c++", "-"]
    text = "".join(f"#include <{each}>\n#include <{each}>\n" for each in headers_to_include)
    if headers_to_include[0] not in WITHOUT_NAMESPACE:
        text += '#ifndef CUBIND_NAMESPACE\n#error "the header does not include <cubind/detail/abi.hpp>"\n#endif\n'
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    return result.stderr[:2000] or "failed" if result.returncode else ""


def main(repository, compilers):
    root = pathlib.Path(repository)
    names = list(headers(root))
    compilers = [each for each in compilers if shutil.which(each)]
    if len(names) < 50 or not compilers:
        print(f"{len(names)} headers and {len(compilers)} compilers found: nothing is tested")
        return 1
    alone = next((each for each in compilers if "clang" in each), compilers[0])
    units = [(compiler, names) for compiler in compilers] + [(alone, [name]) for name in names]
    # A command line that always succeeds would hide all errors.
    units_with_errors = [(compiler, ["cubind/no_such_header.hpp"]) for compiler in compilers]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (compiler, headers_of_unit), errors in zip(units, pool.map(lambda unit: errors_of(unit[0], root, unit[1]), units)):
            if errors:
                failed += 1
                what = f"<{headers_of_unit[0]}>" if len(headers_of_unit) == 1 else "all headers together"
                print(f"{what} with {compiler}:\n{errors}")
    for compiler, headers_of_unit in units_with_errors:
        if not errors_of(compiler, root, headers_of_unit):
            print(f"{compiler} reports no error for a missing header")
            failed += 1
    print(f"{len(names)} headers with {', '.join(compilers)}, alone with {alone}: {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))

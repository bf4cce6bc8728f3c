# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that every public header compiles alone with each compiler, without exceptions and RTTI, and with warnings as errors.

vendor.hpp and vendor_layout.hpp are not checked here, because they include the vendor's headers.

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


def compile_alone(compiler, root, header):
    """Returns the compiler's errors, or an empty text. Includes the header twice to check its include guard. Requires that the
    header defines CUBIND_NAMESPACE; otherwise the header would silently declare a namespace of that name."""
    command = [compiler, *OPTIONS, *(f"-I{each}" for each in include_dirs(root)), "-x", "c++", "-"]
    text = f"#include <{header}>\n#include <{header}>\n"
    if header not in WITHOUT_NAMESPACE:
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
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for compiler in compilers:
            results = pool.map(lambda header: (header, compile_alone(compiler, root, header)), names)
            for header, errors in results:
                if errors:
                    failed += 1
                    print(f"<{header}> with {compiler}:\n{errors}")
    # A command line that always succeeds would hide all errors.
    for compiler in compilers:
        if not compile_alone(compiler, root, "cubind/no_such_header.hpp"):
            print(f"{compiler} reports no error for a missing header")
            failed += 1
    print(f"{len(names)} headers with {', '.join(compilers)}: {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Every public header compiles alone, without exceptions and type information, with warnings as errors, with each compiler given.

vendor.hpp and vendor_layout.hpp need the vendor's headers and are left to the tests that have them.

usage: headers_alone.py REPOSITORY COMPILER...
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

OPTIONS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-fno-exceptions", "-fno-rtti"]


def include_dirs(root):
    return sorted(each for folder in ("runtime", "generated") for each in (root / folder).glob("*/include"))


def headers(root):
    for base in include_dirs(root):
        for path in sorted(base.rglob("*.hpp")):
            if path.name not in ("vendor.hpp", "vendor_layout.hpp"):
                yield str(path.relative_to(base))


def compile_alone(compiler, root, header):
    """The compiler's complaint; empty when there is none. Twice, so that the include guard works too."""
    command = [compiler, *OPTIONS, *(f"-I{each}" for each in include_dirs(root)), "-x", "c++", "-"]
    result = subprocess.run(command, input=f"#include <{header}>\n#include <{header}>\n", capture_output=True, text=True)
    return result.stderr[:2000] or "failed" if result.returncode else ""


def main(repository, compilers):
    root = pathlib.Path(repository)
    names = list(headers(root))
    compilers = [each for each in compilers if shutil.which(each)]
    if len(names) < 50 or not compilers:
        print(f"{len(names)} headers and {len(compilers)} compilers: nothing is tested")
        return 1
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for compiler in compilers:
            results = pool.map(lambda header: (header, compile_alone(compiler, root, header)), names)
            for header, complaint in results:
                if complaint:
                    failed += 1
                    print(f"<{header}> with {compiler}:\n{complaint}")
    # What a command line that is always content would let pass.
    for compiler in compilers:
        if not compile_alone(compiler, root, "cubind/no_such_header.hpp"):
            print(f"{compiler} does not miss a header that is not there")
            failed += 1
    print(f"{len(names)} headers with {', '.join(compilers)}: {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))

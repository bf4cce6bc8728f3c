# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""A folder in which dpkg installs packages, with a database of its own."""
import os
import re
import shutil
import subprocess

from building import run

ENVIRONMENT = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8"}  # dpkg wants ldconfig in PATH


def has_dpkg():
    """Whether packages can be made and installed: dpkg changes the owner of files, so that other users than root need fakeroot."""
    return bool(shutil.which("dpkg-architecture") and shutil.which("cpack") and (os.geteuid() == 0 or shutil.which("fakeroot")))


def field(package, name):
    return run("dpkg-deb", "--field", package, name).strip()


def files_of(package):
    """Returns the paths of the files and links in a package."""
    lines = run("dpkg-deb", "--contents", package).splitlines()
    return [re.search(r" \.(/.*?)(?: -> .*)?$", line)[1] for line in lines if not line.startswith("d")]


class Root:
    """The database begins with the packages that others depend on, as they are installed on this machine, without their files."""

    def __init__(self, path, packages, multiarch):
        self.path = path
        self.libraries = path / "usr" / "lib" / multiarch
        database = path / "var" / "lib" / "dpkg"
        for folder in ("info", "updates", "triggers"):
            (database / folder).mkdir(parents=True)
        depends = {re.match(r"[\w.+-]+", each.strip())[0] for package in packages for each in re.split("[,|]", field(package, "Depends"))
                   if each.strip() and "cubind" not in each}
        status = "\n".join(subprocess.run(["dpkg-query", "--status", name], capture_output=True, text=True, check=True).stdout
                           for name in sorted(depends))
        (database / "status").write_text(status, encoding="utf-8")
        architecture = run("dpkg", "--print-architecture").strip()
        for name in depends:
            for suffix in ("", f":{architecture}"):
                (database / "info" / f"{name}{suffix}.list").write_text("/.\n", encoding="utf-8")

    def dpkg(self, *arguments, fails=False):
        command = [] if os.geteuid() == 0 else ["fakeroot"]
        return run(*command, "dpkg", f"--root={self.path}", "--force-unsafe-io", "--force-not-root", *arguments, fails=fails, env=ENVIRONMENT)

    def version(self, package):
        return run("dpkg-query", f"--admindir={self.path}/var/lib/dpkg", "--show", "--showformat=${Version}", package).strip()

    def files(self):
        """Returns the paths of the files below the root, without those of dpkg itself."""
        paths = (each.relative_to(self.path) for each in self.path.rglob("*") if each.is_symlink() or not each.is_dir())
        return {str(each) for each in paths if each.parts[0] != "var"}

# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""launcher_test.py CUBIND_SIM: tests that cubind-sim starts programs on the simulated driver."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

launcher = sys.argv.pop(1)
SPEC = pathlib.Path(__file__).parents[3] / "api-specs/runtime/api.json"


def newest_version():
    """Returns what the newest runtime library reports as its version."""
    major, minor = json.loads(SPEC.read_text(encoding="utf-8"))["releases"][-1].split(".")
    return str(1000 * int(major) + 10 * int(minor))


# Prints the number of devices, the version of the driver, and the compute capability of device 0.
PROGRAM = """
import ctypes, os
driver = ctypes.CDLL("libcuda.so.1")
value = lambda call, *arguments: (lambda out: (call(ctypes.byref(out), *arguments), out.value)[1])(ctypes.c_int())
assert driver.cuInit(0) == 0
print(value(driver.cuDeviceGetCount), value(driver.cuDriverGetVersion),
      value(driver.cuDeviceGetAttribute, 75, 0), value(driver.cuDeviceGetAttribute, 76, 0), os.environ.get("CUBIND_SIM_SEED"))
"""

# Prints the soname that the loader finds for the runtime library, its version, and whether it is simulated.
RUNTIME = """
import ctypes, os
runtime = ctypes.CDLL("libcudart.so.13")
version = ctypes.c_int()
assert runtime.cudaRuntimeGetVersion(ctypes.byref(version)) == 0
count = ctypes.c_int()
assert runtime.cudaGetDeviceCount(ctypes.byref(count)) == 0
print(hasattr(runtime, "cudaCubindSimulation"), version.value // 1000, count.value, os.environ.get("CUBIND_RUNTIME_LIBRARY"))
"""

# Prints whether the management library is simulated, the number of devices and the total memory of the last one.
MANAGEMENT = """
import ctypes
library = ctypes.CDLL("libnvidia-ml.so.1")
count, device, memory = ctypes.c_uint(), ctypes.c_void_p(), (ctypes.c_ulonglong * 3)()
assert library.nvmlInit_v2() == 0
assert library.nvmlDeviceGetCount_v2(ctypes.byref(count)) == 0
assert library.nvmlDeviceGetHandleByIndex_v2(count.value - 1, ctypes.byref(device)) == 0
assert library.nvmlDeviceGetMemoryInfo(device, memory) == 0
print(hasattr(library, "nvmlCubindSimulation"), count.value, memory[0])
"""

# Calls functions of the three libraries that are not simulated, in a child, too. Prints the process id.
UNSIMULATED = """
import ctypes, os
driver, runtime, management = (ctypes.CDLL(name) for name in ("libcuda.so.1", "libcudart.so.13", "libnvidia-ml.so.1"))
driver.cuInit(0)
for _ in range(3):
    driver.cuVDPAUCtxCreate_v2(None, 0, 0, None, None)
runtime.cudaVDPAUSetVDPAUDevice(0, None, None)
management.nvmlInit_v2()
management.nvmlDeviceSetPersistenceMode(None, 0)
child = os.fork()
driver.cuVDPAUCtxCreate_v2(None, 0, 0, None, None)
if child != 0:
    os.waitpid(child, 0)
    print(os.getpid())
"""

# Prints the status and the result of cudaGetDeviceCount, and the version of the runtime library.
NO_DEVICE = """
import ctypes
runtime = ctypes.CDLL("libcudart.so.13")
count, version = ctypes.c_int(7), ctypes.c_int()
status = runtime.cudaGetDeviceCount(ctypes.byref(count))
runtime.cudaRuntimeGetVersion(ctypes.byref(version))
print(status, count.value, version.value)
"""

# Launches a kernel that never ends. Then prints the result of cuCtxSynchronize, or unloads the library, or ends.
ENDLESS = """
import _ctypes, ctypes, sys, time
driver = ctypes.CDLL("libcuda.so.1")
context, module, kernel = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
assert driver.cuInit(0) == 0
assert driver.cuCtxCreate_v2(ctypes.byref(context), 0, 0) == 0
ptx = b".version 8.0\\n.target sm_90\\n.address_size 64\\n.visible .entry spin() {\\nLOOP: bra LOOP;\\n}"
assert driver.cuModuleLoadData(ctypes.byref(module), ptx) == 0
assert driver.cuModuleGetFunction(ctypes.byref(kernel), module, b"spin") == 0
assert driver.cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, None, None, None) == 0
if sys.argv[1] == "wait":
    print(driver.cuCtxSynchronize())
elif sys.argv[1] == "unload":
    _ctypes.dlclose(driver._handle)
    time.sleep(0.1)
"""


# Runs a kernel with instructions of each class, in a child, too. Prints the process id and the result of cuCtxSynchronize.
FIDELITY = """
import ctypes, os
driver = ctypes.CDLL("libcuda.so.1")
context, module, kernel = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
child = os.fork()
assert driver.cuInit(0) == 0
assert driver.cuCtxCreate_v2(ctypes.byref(context), 0, 0) == 0
ptx = (b".version 8.0\\n.target sm_90\\n.address_size 64\\n.visible .entry mixed() {\\n.reg .b32 %r;\\n"
       b"mov.u32 %r, %clock;\\nmov.u32 %r, %nwarpid;\\nret;\\n}")
assert driver.cuModuleLoadData(ctypes.byref(module), ptx) == 0
assert driver.cuModuleGetFunction(ctypes.byref(kernel), module, b"mixed") == 0
assert driver.cuLaunchKernel(kernel, 4, 1, 1, 32, 1, 1, 0, None, None, None) == 0
status = driver.cuCtxSynchronize()
if child != 0:
    os.waitpid(child, 0)
    print(os.getpid(), status)
"""


# Allocates shareable memory and an event for other processes, prints to the standard output, which is closed, and ends with the
# number of descriptors of the driver below 3.
WITHOUT_STREAMS = """
import ctypes, os, sys
driver = ctypes.CDLL("libcuda.so.1")
context, event, memory = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_ulonglong()
assert driver.cuInit(0) == 0
assert driver.cuCtxCreate_v2(ctypes.byref(context), 0, 0) == 0
assert driver.cuEventCreate(ctypes.byref(event), 6) == 0
properties = (ctypes.c_int * 8)(1, 1, 1, 0)
assert driver.cuMemCreate(ctypes.byref(memory), ctypes.c_size_t(1 << 21), properties, ctypes.c_ulonglong(0)) == 0
properties[1] = 0
assert driver.cuMemCreate(ctypes.byref(memory), ctypes.c_size_t(1 << 21), properties, ctypes.c_ulonglong(0)) == 0
names = {int(name): os.readlink("/proc/self/fd/" + name) for name in os.listdir("/proc/self/fd")
         if os.path.islink("/proc/self/fd/" + name)}
files = [number for number, name in names.items() if "memfd:cubind" in name]
os._exit(10 + len(files) if min(files) > 2 else 1)
"""


def run(*arguments, **variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CUBIND_SIM")} | variables
    return subprocess.run([launcher, *arguments], env=environment, capture_output=True, text=True, timeout=60)


class LauncherTest(unittest.TestCase):
    def test_starts_a_program_on_the_simulated_driver(self):
        done = run(sys.executable, "-c", PROGRAM)
        self.assertEqual((done.returncode, done.stdout.split()[0]), (0, "1"), done.stderr)

    def test_starts_a_program_on_the_simulated_runtime_library(self):
        done = run("--devices", "2", sys.executable, "-c", RUNTIME)
        simulated, major, count, path = done.stdout.split()
        self.assertEqual((simulated, major, count), ("True", "13", "2"), done.stderr)
        self.assertTrue(path.endswith("sim/libcudart.so.13"), path)

    def test_starts_a_program_on_the_simulated_management_library(self):
        done = run("--devices", "8", "--memory", "1000000", sys.executable, "-c", MANAGEMENT)
        self.assertEqual(done.stdout.split(), ["True", "8", "1000000"], done.stderr)

    def test_reports_why_the_runtime_library_has_no_device(self):
        for options, status in (("--release", "12.9"), 35), (("--devices", "0"), 100):
            done = run(*options, sys.executable, "-c", NO_DEVICE)
            self.assertEqual(done.stdout.split(), [str(status), "0", newest_version()], done.stderr)

    def test_prefers_the_runtime_library_that_is_named(self):
        done = run(sys.executable, "-c", RUNTIME, CUBIND_RUNTIME_LIBRARY="/one/libcudart.so.13")
        self.assertEqual(done.stdout.split()[-1:], ["/one/libcudart.so.13"], done.stderr)

    def test_sets_the_properties_of_the_simulation(self):
        done = run("--devices", "3", "--arch=sm_120", "--release", "12.8", "--seed", "7", sys.executable, "-c", PROGRAM)
        self.assertEqual(done.stdout.split(), ["3", "12080", "12", "0", "7"], done.stderr)

    def test_accepts_capabilities_with_a_dot(self):
        done = run("--arch", "8.6", sys.executable, "-c", PROGRAM)
        self.assertEqual(done.stdout.split()[2:4], ["8", "6"], done.stderr)

    def test_passes_arguments_and_the_exit_status(self):
        done = run(sys.executable, "-c", "import sys; print(sys.argv[1:]); sys.exit(5)", "--devices", "x")
        self.assertEqual((done.returncode, done.stdout.strip()), (5, "['--devices', 'x']"))

    def test_precedes_other_folders_of_libraries(self):
        done = run(sys.executable, "-c", "import os; print(os.environ['LD_LIBRARY_PATH'])", LD_LIBRARY_PATH="/one:/two")
        self.assertTrue(done.stdout.strip().endswith("sim:/one:/two"), done.stdout)

    @unittest.skipUnless(shutil.which("valgrind"), "needs valgrind")
    def test_starts_valgrind(self):
        done = run("valgrind", "-q", "--error-exitcode=9", "sh", "-c", 'echo "audit: $LD_AUDIT"')
        self.assertEqual((done.returncode, done.stdout), (0, "audit: \n"), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("--machine-code", done.stderr)
        self.assertEqual(run("--machine-code", "valgrind", "-q", "true").stderr, "")

    @unittest.skipUnless(shutil.which("valgrind"), "needs valgrind")
    def test_starts_programs_that_start_valgrind(self):
        for variables, result in ({}, "--run-libc-freeres=no"), ({"VALGRIND_OPTS": "--error-limit=no"}, "--run-libc-freeres=no --error-limit=no"):
            done = run("sh", "-c", 'echo "$VALGRIND_OPTS"; exec valgrind -q true', **variables)
            self.assertEqual((done.returncode, done.stdout.strip()), (0, result), done.stderr)
            self.assertNotIn("free", done.stderr)

    def test_keeps_the_numbers_of_standard_streams_free(self):
        command = ["sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-', launcher, sys.executable, "-c", WITHOUT_STREAMS]
        self.assertEqual(subprocess.run(command, timeout=60).returncode, 13, "three files")

    def test_ends_although_a_kernel_never_ends(self):
        for what in ("end", "unload"):
            done = run(sys.executable, "-c", ENDLESS, what)
            self.assertEqual((done.returncode, done.stderr), (0, ""), what)

    def test_limits_the_time_of_kernels(self):
        done = run("--kernel-seconds", "1", sys.executable, "-c", ENDLESS, "wait")
        self.assertEqual((done.returncode, done.stdout.strip()), (0, "702"), done.stderr)
        for text in ("kernel spin", "CUDA_ERROR_LAUNCH_TIMEOUT", "1 s", "PTX line 5"):
            self.assertIn(text, done.stderr)

    def test_rejects_wrong_options(self):
        for arguments, text in ((("--devices", "many", "true"), "many"), (("--arch", "9", "true"), '"9"'),
                                (("--kernel-seconds", "x", "true"), "kernel-seconds"), (("--devices", "256", "true"), "255"),
                                (("--workers", "4294967296", "true"), "4294967295"), (("--release", "1000.0", "true"), "1000.0"),
                                (("--kernel-seconds", "4294967296", "true"), "4294967295"), (("--arch", "9.100", "true"), "9.100"),
                                (("--release", "13", "true"), '"13"'), (("--gpus", "1", "true"), "--gpus"),
                                (("--seed",), "--seed"), (("--report", "", "true"), "--report"),
                                (("--fidelity", "", "true"), "--fidelity"), (("--fidelity-require", "all", "true"), '"all"'),
                                (("--fidelity-require", "approximate", "true"), '"approximate"'), (("-xy", "true"), "option -xy;"),
                                (("--he=1", "true"), "option --he=1;"), (("--re", "13.0", "true"), "option --re;"),
                                (("--allow", "all", "true"), 'undefined-functions or hidden-devices, not "all"'),
                                ((), "no program")):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(text, done.stderr)

    def test_reports_mistakes_in_variables(self):
        program = "import ctypes\nprint(ctypes.CDLL('libcuda.so.1').cuInit(0), ctypes.CDLL('libnvidia-ml.so.1').nvmlInit_v2())"
        for variable, value in (("CUBIND_SIM_COMPUTE_CAPABILITY", "sm_80"), ("CUBIND_SIM_COMPUTE_CAPABILITY", "12"),
                                ("CUBIND_SIM_MEMORY", "16G"), ("CUBIND_SIM_DEVICES", "two"), ("CUBIND_SIM_RELEASE", "13"),
                                ("CUBIND_SIM_FIDELITY_REQUIRE", "all"), ("CUBIND_SIM_WORKERS", "x"), ("CUBIND_SIM_SEED", "x"),
                                ("CUBIND_SIM_KERNEL_SECONDS", "1s")):
            done = run(sys.executable, "-c", program, **{variable: value})
            initialized, managed = done.stdout.split()
            self.assertEqual(initialized, "1", variable)
            self.assertNotEqual(managed, "0", variable)
            self.assertRegex(done.stderr, f'^cubind: simulated driver: cuInit: CUDA_ERROR_INVALID_VALUE: {variable} is "{value}", but ')
        self.assertIn("CUBIND_SIM_DEVICE is no variable", run(sys.executable, "-c", program, CUBIND_SIM_DEVICE="2").stderr)
        # The runtime library passes the status on.
        done = run(sys.executable, "-c", NO_DEVICE, CUBIND_SIM_MEMORY="16G")
        self.assertEqual(done.stdout.split()[:2], ["1", "0"], done.stderr)

    def test_hides_devices_from_the_driver_only(self):
        program = MANAGEMENT + "driver = ctypes.CDLL('libcuda.so.1')\ndriver.cuInit(0)\ndriver.cuDeviceGetCount(ctypes.byref(count))\nprint(count.value)"
        done = run("--devices", "3", sys.executable, "-c", program, CUDA_VISIBLE_DEVICES="2,0")
        self.assertEqual(done.stdout.split()[1::2], ["3", "2"], done.stderr)

    def test_allows_mistakes_on_request(self):
        program = ("import ctypes, os\ndriver = ctypes.CDLL('libcuda.so.1')\ncount = ctypes.c_int()\nassert driver.cuInit(0) == 0\n"
                   "if os.fork() == 0:\n    print(driver.cuDeviceGetCount(ctypes.byref(count)), count.value)\nelse:\n    os.wait()")
        for options, expected in (((), "3 0"), (("--allow", "fork"), "0 1"), (("--allow", "hidden-devices"), "3 0"),
                                  (("--allow", "fork", "--allow=hidden-devices"), "0 2")):
            done = run("--devices", "2", *options, sys.executable, "-c", program, CUDA_VISIBLE_DEVICES="0")
            self.assertEqual((done.returncode, done.stdout.strip()), (0, expected), done.stderr)

    def test_rejects_a_report_without_a_working_directory(self):
        folder = tempfile.mkdtemp()
        remove_and_start = 'rmdir "$PWD" && exec "$0" --report calls true'
        done = subprocess.run(["sh", "-c", remove_and_start, os.path.abspath(launcher)], cwd=folder, capture_output=True,
                              text=True, timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn('--report requires a file, not "calls"', done.stderr)

    def test_reports_programs_that_cannot_be_started(self):
        done = run("./no-such-folder/program")
        self.assertEqual(done.returncode, 127)
        self.assertIn("./no-such-folder/program", done.stderr)
        self.assertEqual(run("/").returncode, 126)

    def test_prints_help(self):
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("--release", done.stdout)

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_reports_help_that_cannot_be_printed(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([launcher, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left", done.stderr)


class ReportTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_with(self, *options, **variables):
        done = run(*options, sys.executable, "-c", UNSIMULATED, **variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_lists_the_calls_of_each_process(self):
        processes = [self.run_with("--report", str(self.folder / "calls")).stdout.strip() for _ in range(2)]
        lines = (self.folder / "calls").read_text().splitlines()
        for process in processes:
            self.assertIn(f"{process} libcuda.so.1 cuVDPAUCtxCreate_v2 4", lines)
            self.assertIn(f"{process} libcudart.so.13 cudaVDPAUSetVDPAUDevice 1", lines)
            self.assertIn(f"{process} libnvidia-ml.so.1 nvmlDeviceSetPersistenceMode 1", lines)
        self.assertEqual({line.split()[0] for line in lines}, set(processes), "no lines of children")

    def test_reports_nothing_without_the_option(self):
        self.assertEqual(self.run_with().stderr, "")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_reports_that_the_file_cannot_be_written(self):
        for path in (self.folder / "missing" / "calls", self.folder):
            result = self.run_with(CUBIND_SIM_REPORT=str(path))
            self.assertRegex(result.stderr, f"CUBIND_SIM_REPORT: cannot write the calls of libcuda.so.1 to {re.escape(str(path))}: ")
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        self.assertIn("cannot write", self.run_with("--report", str(pipe)).stderr)


class FidelityTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_with(self, *options, **variables):
        done = run(*options, sys.executable, "-c", FIDELITY, **variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_lists_the_executed_instructions_of_each_process(self):
        file = self.folder / "instructions"
        file.write_text("first\n")
        processes = [self.run_with("--fidelity", str(file)).stdout.split()[0] for _ in range(2)]
        first, *lines = file.read_text().splitlines()
        self.assertEqual(first, "first")
        rows = [line.split("\t") for line in lines]
        self.assertEqual({len(row) for row in rows}, {6})
        for process in processes:
            classes = {row[4]: row[1] for row in rows if row[0] == process}
            self.assertEqual(classes, {"%clock": "approximate", "mov.u32 d, a": "exact", "%nwarpid": "rule", "ret": "exact"})
        self.assertEqual({(row[2], row[3]) for row in rows if row[4] != "mov.u32 d, a"}, {("4", "mixed")})
        self.assertEqual({row[0] for row in rows}, set(processes), "no lines of children")
        self.assertRegex(next(row[5] for row in rows if row[4] == "ret"), "compared it with an H200")

    def test_lists_nothing_without_the_option(self):
        self.assertEqual(self.run_with().stderr, "")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_reports_that_the_file_cannot_be_written(self):
        for path in (self.folder / "missing" / "instructions", self.folder):
            done = self.run_with(CUBIND_SIM_FIDELITY=str(path))
            self.assertRegex(done.stderr, f"CUBIND_SIM_FIDELITY: cannot write the executed instructions to {re.escape(str(path))}: ")
            self.assertEqual(done.stderr.count("\n"), 1)

    def test_refuses_instructions_with_less_fidelity(self):
        done = self.run_with("--fidelity-require", "rule")
        self.assertEqual(done.stdout.split()[1], "801")
        for text in ("kernel mixed", "CUDA_ERROR_NOT_SUPPORTED", "%clock", "PTX line 6", "CUBIND_SIM_FIDELITY_REQUIRE"):
            self.assertIn(text, done.stderr)
        self.assertEqual(self.run_with("--fidelity-require", "rule", CUBIND_SIM_FIDELITY_REQUIRE="approximate").stdout.split()[1], "801")


if __name__ == "__main__":
    unittest.main()

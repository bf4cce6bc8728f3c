// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// cubind-sim: starts a program on the simulated driver. It adds the folder of the simulated libcuda.so.1, libcudart.so.13 and
// libnvidia-ml.so.1 to LD_LIBRARY_PATH, sets the variables of the simulation, and replaces itself by the program. LD_AUDIT names
// a library that makes NVRTC and nvJitLink hand out PTX instead of machine code.
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <getopt.h>
#include <limits>
#include <string>
#include <string_view>

#include "find_simulation.hpp"
#include "platform/environment.hpp"
#include "start.hpp"

namespace {

constexpr const char* usage =
    "usage: cubind-sim [OPTION...] PROGRAM [ARGUMENT...]\n"
    "\n"
    "Runs PROGRAM on cubind's simulated CUDA driver. The program needs no changes if it loads libcuda.so.1, libcudart.so.13 or\n"
    "libnvidia-ml.so.1, or is linked to them, or if it contains the runtime library and its symbols.\n"
    "\n"
    "  --devices N      number of devices (1)\n"
    "  --memory BYTES   memory of each device (8 GiB)\n"
    "  --arch ARCH      compute capability: sm_90, 90 or 9.0 (sm_90)\n"
    "  --release X.Y    CUDA release of the driver (the newest that cubind knows)\n"
    "  --workers N      threads that run the blocks of a kernel (one for each processor)\n"
    "  --seed N         permutes the order of blocks and warps; the same seed results in the same order\n"
    "  --kernel-seconds N\n"
    "                   time after which a kernel fails with CUDA_ERROR_LAUNCH_TIMEOUT (no limit)\n"
    "  --allow WHAT     allows a mistake that a GPU does not allow: fork, peer-memory, undefined-functions or hidden-devices\n"
    "  --report FILE    appends the calls of functions that are not simulated to FILE when the program ends\n"
    "  --fidelity FILE  appends the instructions that kernels executed to FILE when the program ends, and whether they equal a "
    "GPU's\n"
    "  --fidelity-require exact|rule\n"
    "                   lets instructions with less fidelity fail with CUDA_ERROR_NOT_SUPPORTED when they run\n"
    "  --machine-code   lets NVRTC and nvJitLink write machine code, whose kernels cannot run; without this option, they hand "
    "out\n"
    "                   PTX where the program asks for machine code. A runtime library in the program is not redirected\n"
    "  --help           prints this text\n"
    "\n"
    "The exit status is that of the program; 2 for a wrong option, 126 or 127 if the program cannot be started.\n";

constexpr int wrong_option = 2;
constexpr int cannot_start = 126;

[[noreturn]] void fail(const std::string& text, int status = wrong_option) {
    std::fprintf(stderr, "cubind-sim: %s\n", text.c_str());
    std::exit(status);
}

using Number = unsigned long long;

// Reads a number that spans the whole text and is at most `limit`.
bool is_number(std::string_view text, Number limit = std::numeric_limits<Number>::max()) {
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value <= limit;
}

bool is_version(std::string_view text) {
    const std::size_t dot = text.find('.');
    return dot != std::string_view::npos && is_number(text.substr(0, dot), 999) && is_number(text.substr(dot + 1), 99);
}

void set(const char* variable, const std::string& value) {
    if (const int error = cubind::detail::set_environment_variable(variable, value.c_str())) {
        fail(std::string("cannot set ") + variable + ": " + std::strerror(error));
    }
}

// The simulation ignores variables with numbers beyond its limits.
void set_number(const char* option, const char* variable, const std::string& value, Number limit) {
    if (!is_number(value, limit)) {
        fail(std::string("--") + option + " requires a whole number up to " + std::to_string(limit) + ", not \"" + value + '"');
    }
    set(variable, value);
}

// The simulation reads capabilities as "9.0".
void set_architecture(const std::string& value) {
    std::string text = value.starts_with("sm_") ? value.substr(3) : value;
    if (is_number(text) && text.size() >= 2) text.insert(text.size() - 1, ".");
    if (!is_version(text)) fail("--arch requires a compute capability such as sm_90, not \"" + value + '"');
    set("CUBIND_SIM_COMPUTE_CAPABILITY", text);
}

void set_release(const std::string& value) {
    if (!is_version(value)) fail("--release requires a CUDA release such as 13.0, not \"" + value + '"');
    set("CUBIND_SIM_RELEASE", value);
}

// The program may change its working directory before it writes a report.
void set_file(const char* option, const char* variable, const std::string& value) {
    std::error_code error;
    const std::filesystem::path file = std::filesystem::absolute(value, error);
    if (value.empty() || error) {
        fail(std::string("--") + option + " requires a file, not \"" + value + "\"" + (error ? ": " + error.message() : ""));
    }
    set(variable, file.string());
}

void set_fidelity(const std::string& value) {
    if (value != "exact" && value != "rule") fail("--fidelity-require requires \"exact\" or \"rule\", not \"" + value + '"');
    set("CUBIND_SIM_FIDELITY_REQUIRE", value);
}

void allow(const std::string& what) {
    constexpr const char* mistakes[][2] = {{"fork", "CUBIND_SIM_ALLOW_FORK"},
                                           {"peer-memory", "CUBIND_SIM_ALLOW_PEER_MEMORY"},
                                           {"undefined-functions", "CUBIND_SIM_ALLOW_UNDEFINED_FUNCTIONS"},
                                           {"hidden-devices", "CUBIND_SIM_ALLOW_HIDDEN_DEVICES"}};
    for (const auto& [name, variable] : mistakes) {
        if (what == name) return set(variable, "1");
    }
    fail("--allow requires fork, peer-memory, undefined-functions or hidden-devices, not \"" + what + '"');
}

/// Whether the compilers hand out PTX where the program asks for machine code.
bool has_compilers_of_ptx = true;

// Handles one option. Most set a variable.
void apply(const char* option, const std::string& value) {
    const std::string_view name = option;
    constexpr Number max_devices = 255;
    constexpr Number max_int = std::numeric_limits<unsigned>::max();
    constexpr Number max_size = std::numeric_limits<Number>::max();
    if (name == "devices") return set_number(option, "CUBIND_SIM_DEVICES", value, max_devices);
    if (name == "memory") return set_number(option, "CUBIND_SIM_MEMORY", value, max_size);
    if (name == "workers") return set_number(option, "CUBIND_SIM_WORKERS", value, max_int);
    if (name == "seed") return set_number(option, "CUBIND_SIM_SEED", value, max_size);
    if (name == "kernel-seconds") return set_number(option, "CUBIND_SIM_KERNEL_SECONDS", value, max_int);
    if (name == "arch") return set_architecture(value);
    if (name == "release") return set_release(value);
    if (name == "report") return set_file(option, "CUBIND_SIM_REPORT", value);
    if (name == "fidelity") return set_file(option, "CUBIND_SIM_FIDELITY", value);
    if (name == "fidelity-require") return set_fidelity(value);
    if (name == "allow") return allow(value);
    if (name == "machine-code") {
        has_compilers_of_ptx = false;
        return;
    }
    const bool is_printed = std::fputs(usage, stdout) >= 0 && std::fflush(stdout) == 0;
    if (!is_printed) fail(std::string("cannot print the help: ") + std::strerror(errno), 1);
    std::exit(0);
}

// Returns the folder of the simulation, or ends the program.
std::string require_simulation() {
    const FoundSimulation found = find_simulation();
    if (!found.problem.empty()) fail(found.problem, cannot_start);
    return found.folder;
}

// cubind's bindings of the runtime library would prefer NVIDIA's library in a Python environment to LD_LIBRARY_PATH.
void select_runtime(const std::string& folder) {
    constexpr const char* variable = "CUBIND_RUNTIME_LIBRARY";
    const std::filesystem::path library = std::filesystem::path(folder) / "libcudart.so.13";
    std::error_code error;
    if (cubind::detail::environment_variable(variable) != nullptr || !std::filesystem::exists(library, error)) return;
    set(variable, library.string());
}

// valgrind does not know the functions of a library that is loaded twice, as libc is for a library of LD_AUDIT, and would report
// errors in correct programs.
void keep_compilers_for_valgrind(const std::string& program) {
    if (!has_compilers_of_ptx || program.substr(program.rfind('/') + 1) != "valgrind") return;
    has_compilers_of_ptx = false;
    std::fputs(
        "cubind-sim: starts valgrind as with --machine-code: NVRTC and nvJitLink write machine code, whose kernels cannot run\n",
        stderr);
}

// The dynamic linker of glibc loads the library and asks it for each compiler that the program loads, also by its path. On a
// system with another dynamic linker, the library does not exist.
void replace_compilers(const std::string& folder) {
    constexpr const char* variable = "LD_AUDIT";
    const std::filesystem::path library = std::filesystem::path(folder) / "libcubind_sim_compilers.so";
    std::error_code error;
    if (!has_compilers_of_ptx || !std::filesystem::exists(library, error)) return;
    const char* const others = cubind::detail::environment_variable(variable);
    set(variable, library.string() + (others != nullptr && *others != '\0' ? std::string(":") + others : ""));
    // For valgrind that the program starts. At the end, it lets libc free its memory. With any library of LD_AUDIT, glibc 2.36
    // then frees memory that its dynamic linker has allocated before, and the program aborts.
    constexpr const char* valgrind = "VALGRIND_OPTS";
    const char* const options = cubind::detail::environment_variable(valgrind);
    set(valgrind, std::string("--run-libc-freeres=no") + (options != nullptr ? std::string(" ") + options : ""));
}

}  // namespace

int main(int count, char** arguments) {
    // The values differ, so that the beginning of two names is ambiguous.
    constexpr option options[] = {
        {"devices", required_argument, nullptr, 1},   {"memory", required_argument, nullptr, 2},
        {"arch", required_argument, nullptr, 3},      {"release", required_argument, nullptr, 4},
        {"workers", required_argument, nullptr, 5},   {"seed", required_argument, nullptr, 6},
        {"report", required_argument, nullptr, 7},    {"kernel-seconds", required_argument, nullptr, 8},
        {"machine-code", no_argument, nullptr, 9},    {"help", no_argument, nullptr, 10},
        {"fidelity", required_argument, nullptr, 11}, {"fidelity-require", required_argument, nullptr, 12},
        {"allow", required_argument, nullptr, 13},    {nullptr, 0, nullptr, 0},
    };
    int index = 0;
    opterr = 0;
    // '+' ends the options at the first other argument, because those that follow belong to the program.
    // optind does not pass an argument such as -xy before its last letter.
    for (int result = 0, current = optind; (result = ::getopt_long(count, arguments, "+:", options, &index)) != -1;
         current = optind) {
        if (result == ':') fail(std::string(arguments[current]) + " requires a value; see cubind-sim --help");
        if (result == '?') fail(std::string("unknown option ") + arguments[current] + "; see cubind-sim --help");
        apply(options[index].name, optarg != nullptr ? optarg : "");
    }
    if (optind >= count) fail("no program is given; see cubind-sim --help");
    const char* const path = cubind::detail::environment_variable("LD_LIBRARY_PATH");
    const std::string folder = require_simulation();
    select_runtime(folder);
    keep_compilers_for_valgrind(arguments[optind]);
    replace_compilers(folder);
    set("LD_LIBRARY_PATH", folder + (path != nullptr && *path != '\0' ? std::string(":") + path : ""));
    const StartFailure failure = start(arguments + optind, "cubind-sim");
    fail(std::string("cannot start ") + arguments[optind] + ": " + failure.text, failure.is_missing ? 127 : cannot_start);
}

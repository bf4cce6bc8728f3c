// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times the search for one artifact in the first and in the last place, and for a library that no place has. The baseline asks
/// the system only for the place that has the file: it reads the file's ELF header and resolves its path. benchmarks/find_cost
/// runs this program and compares the times. It takes the options of Google Benchmark. With --once it locates a library, prints
/// the nanoseconds of this first search of the process, and exits.

#include <cubind/find.hpp>

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <filesystem>
#include <link.h>
#include <string>
#include <unistd.h>

namespace {

using namespace cubind;
namespace fs = std::filesystem;

void expect(bool condition) {
    if (!condition) std::abort();
}

/// Returns the path of libc, which serves as the library that is found: the search does not open it.
std::string path_of_libc() {
    Dl_info info{};
    expect(dladdr(reinterpret_cast<void*>(&std::abort), &info) != 0);
    return fs::canonical(info.dli_fname);
}

/// A temporary folder with an environment that has a library, or none.
class Environment {
public:
    Environment() {
        std::string pattern = (fs::temp_directory_path() / "cubind_find_XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
        for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX", "CUDA_PATH", "CUDA_HOME", "HOME"}) unsetenv(variable);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() { fs::remove_all(folder_); }

    /// Installs the library in a wheel of a virtual environment and returns its path.
    std::string add_wheel() const { return add("VIRTUAL_ENV", "venv/lib/python3.11/site-packages/cuquantum/lib"); }
    /// Installs the library in a toolkit and returns its path.
    std::string add_toolkit() const { return add("CUDA_HOME", "toolkit/targets/x86_64-linux/lib"); }

    static constexpr std::string_view name = "cupauliprop";

private:
    std::string add(const char* variable, const std::string& relative) const {
        const fs::path file = folder_ / relative / "libcupauliprop.so.0";
        fs::create_directories(file.parent_path());
        fs::copy_file(path_of_libc(), file);
        setenv(variable, (folder_ / relative.substr(0, relative.find('/'))).c_str(), 1);
        return file;
    }

    fs::path folder_;
};

void locate_in(benchmark::State& state, const std::string& expected) {
    for (auto _ : state) expect(locate(ArtifactKind::library, Environment::name).path == expected);
}

/// Reads the header of the file and resolves its path.
void read_header(benchmark::State& state, const std::string& path) {
    for (auto _ : state) {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        ElfW(Ehdr) header{};
        expect(::pread(file, &header, sizeof header, 0) == sizeof header);
        ::close(file);
        char* const real = ::realpath(path.c_str(), nullptr);
        expect(real != nullptr && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0);
        std::free(real);
    }
}

int locate_once() {
    const Environment environment;
    const std::string file = environment.add_toolkit();
    const auto begin = std::chrono::steady_clock::now();
    const Location location = locate(ArtifactKind::library, Environment::name);
    const auto end = std::chrono::steady_clock::now();
    expect(location.path == file);
    std::printf("%lld\n", static_cast<long long>(std::chrono::nanoseconds(end - begin).count()));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "--once") == 0) return locate_once();
    benchmark::Initialize(&argc, argv);
    const Environment environment;
    const std::string toolkit = environment.add_toolkit();
    benchmark::RegisterBenchmark("in CUDA_HOME/locate", [&](benchmark::State& state) { locate_in(state, toolkit); });
    benchmark::RegisterBenchmark("in CUDA_HOME/read header", [&](benchmark::State& state) { read_header(state, toolkit); });
    benchmark::RegisterBenchmark("in no place/locate", [&](benchmark::State& state) {
        const std::string value = getenv("CUDA_HOME");
        unsetenv("CUDA_HOME");
        locate_in(state, "");
        setenv("CUDA_HOME", value.c_str(), 1);
    });
    benchmark::RegisterBenchmark("in no place/read header", [&](benchmark::State& state) { read_header(state, toolkit); });
    const Environment with_wheel;
    setenv("CUDA_HOME", fs::path(toolkit).parent_path().parent_path().parent_path().parent_path().c_str(), 1);
    const std::string wheel = with_wheel.add_wheel();
    const std::string venv = getenv("VIRTUAL_ENV");
    unsetenv("VIRTUAL_ENV");
    benchmark::RegisterBenchmark("in a wheel/locate", [&](benchmark::State& state) {
        setenv("VIRTUAL_ENV", venv.c_str(), 1);
        locate_in(state, wheel);
        unsetenv("VIRTUAL_ENV");
    });
    benchmark::RegisterBenchmark("in a wheel/read header", [&](benchmark::State& state) { read_header(state, wheel); });
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times hits of the program caches, including the check of the checksum if there is one, and plain reads of the same file with
/// one hash of its content. benchmarks/program_cache_cost runs this program and compares the times. It takes the options of
/// Google Benchmark.

#include <cubind/core/program/file_program_cache.hpp>
#include <cubind/core/program/in_memory_program_cache.hpp>

#include <benchmark/benchmark.h>
#include <sodium.h>

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <string>
#include <unistd.h>

namespace {

using namespace cubind;

constexpr struct {
    const char* name;
    std::size_t size;
} sizes[] = {{"20 KB", 20'000}, {"200 KB", 200'000}, {"2 MB", 2'000'000}};

Bytes random_program(std::size_t size) {
    std::string bytes(size, '\0');
    std::minstd_rand random;
    std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<char>(random() >> 8); });
    return Bytes::copy_of(bytes.data(), size);
}

CacheKey key_of(std::size_t size) {
    return CacheKeyBuilder().add("size", std::to_string(size)).key();
}

Bytes fail_if_called() {
    std::abort();
}

void expect(bool condition) {
    if (!condition) std::abort();
}

void hit(benchmark::State& state, ProgramCache& cache, std::size_t size) {
    for (auto _ : state) expect(cache.get_or_compile(key_of(size), fail_if_called).size() == size);
}

/// Reads the same file into newly allocated memory and hashes it, as a hit does.
void read_and_hash(benchmark::State& state, const std::string& path) {
    for (auto _ : state) {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        const auto size = static_cast<std::size_t>(::lseek(file, 0, SEEK_END));
        const std::unique_ptr<char[]> bytes(new char[size]);
        expect(::pread(file, bytes.get(), size, 0) == static_cast<ssize_t>(size));
        ::close(file);
        unsigned char hash[crypto_generichash_BYTES];
        crypto_generichash(hash, sizeof hash, reinterpret_cast<const unsigned char*>(bytes.get()), size, nullptr, 0);
        benchmark::DoNotOptimize(hash);
    }
}

void put(benchmark::State& state, ProgramCache& cache, const Bytes& program) {
    for (auto _ : state) cache.put(key_of(program.size()), program);
}

void make_key(benchmark::State& state, const Bytes& source) {
    const std::string text(reinterpret_cast<const char*>(source.data()), source.size());
    for (auto _ : state) {
        benchmark::DoNotOptimize(CacheKeyBuilder().add("source", text).add("architecture", "sm_90").key());
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::string folder = (std::filesystem::temp_directory_path() / "cubind_cache_XXXXXX").string();
    expect(::mkdtemp(folder.data()) != nullptr);
    FileProgramCache files({.directory = folder});
    InMemoryProgramCache memory;
    for (const auto& [name, size] : sizes) {
        const Bytes program = random_program(size);
        files.put(key_of(size), program);
        memory.put(key_of(size), program);
        const std::string path = folder + "/" + key_of(size).to_string() + ".program";
        const auto add = [text = std::string("/") + name](const char* what, auto run) {
            benchmark::RegisterBenchmark((what + text).c_str(), run);
        };
        add("read and hash", [path](benchmark::State& state) { read_and_hash(state, path); });
        add("hit on disk", [&files, size = size](benchmark::State& state) { hit(state, files, size); });
        add("hit in memory", [&memory, size = size](benchmark::State& state) { hit(state, memory, size); });
        add("put on disk", [&files, program](benchmark::State& state) { put(state, files, program); });
        add("key of a source", [program](benchmark::State& state) { make_key(state, program); });
    }
    benchmark::Initialize(&argc, argv);
    const bool is_unknown = benchmark::ReportUnrecognizedArguments(argc, argv);
    if (!is_unknown) benchmark::RunSpecifiedBenchmarks();
    std::filesystem::remove_all(folder);
    return is_unknown ? 2 : 0;
}

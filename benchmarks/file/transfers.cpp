// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times transfers between files and a device: by the route posix beside pread() and a copy, and by cuFile beside the same calls
/// of cuFile, where it works. benchmarks/core_cost runs this program and compares the times; alternate.hpp has its options.

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/cufile/loading.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/file.hpp>

#include <cstddef>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

#include "../core/plain.hpp"

namespace {

using namespace cubind::driver;
using cubind::File;
using cubind::FileRoute;

constexpr std::size_t large = 64 << 20;
constexpr std::size_t small = 64 << 10;

struct Setup {
    Setup() {
        stream.synchronize();
        file.write(memory);
        file.flush();
    }

    std::string path = std::filesystem::temp_directory_path() / ("cubind_benchmark." + std::to_string(::getpid()));
    cubind::Device device{0};
    cubind::ContextRef before = device.set_current();  // as in most programs, and as cuFile needs it
    cubind::Stream stream{device};
    cubind::TypedBuffer<std::byte> memory = device.allocate<std::byte>(stream, large);
    cubind::Buffer pinned = cubind::LegacyPinnedMemoryResource().allocate(stream, large);
    std::vector<std::byte> pageable = std::vector<std::byte>(large);
    File file{path, {.write = true, .create = true, .route = FileRoute::posix}};
    int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
};

void expect_bytes(std::ptrdiff_t transferred, std::size_t expected) {
    if (transferred != static_cast<std::ptrdiff_t>(expected)) std::abort();
}

void read_plain(const Setup& with, void* host, std::size_t size) {
    static auto* const copy = plain<CUresult(CUdeviceptr, const void*, std::size_t)>("cuMemcpyHtoD_v2");
    expect_bytes(::pread(with.descriptor, host, size, 0), size);
    expect(copy(with.memory.native_handle(), host, size));
}

void write_plain(const Setup& with, void* host, std::size_t size) {
    static auto* const copy = plain<CUresult(void*, CUdeviceptr, std::size_t)>("cuMemcpyDtoH_v2");
    expect(copy(host, with.memory.native_handle(), size));
    expect_bytes(::pwrite(with.descriptor, host, size, 0), size);
}

void add_posix(Alternation& calls, Setup& with) {
    for (const std::size_t size : {large, small}) {
        const std::string bytes = size == large ? "64 MiB of a file" : "64 KiB of a file";
        const int count = size == large ? 1 : 64;
        const auto add = [&](const std::string& call, const char* way, auto one) { calls.add(call + bytes, way, count, one); };
        void* const pinned = reinterpret_cast<void*>(with.pinned.native_handle());
        add("read of ", "plain", [&with, pinned, size] { read_plain(with, pinned, size); });
        add("read of ", "plain, pageable", [&with, size] { read_plain(with, with.pageable.data(), size); });
        add("read of ", "File", [&with, size] { with.file.read(with.memory, {.size = size}); });
        add("write of ", "plain", [&with, pinned, size] { write_plain(with, pinned, size); });
        add("write of ", "File", [&with, size] { with.file.write(with.memory, {.size = size}); });
    }
}

/// Opens the file for cuFile, with the page cache or without; a closed File if cuFile does not work with it.
File open_for_cufile(const Setup& with) {
    for (const bool is_direct : {false, true}) {
        try {
            return File(with.path, {.write = true, .direct = is_direct, .route = FileRoute::cufile});
        } catch (const cubind::FileError& error) {
            std::fprintf(stderr, "%s\n", error.what());
        }
    }
    std::fprintf(stderr, "transfers by cuFile are skipped\n");
    return {};
}

void add_cufile(Alternation& calls, Setup& with) {
    static const File& file = *new File(open_for_cufile(with));
    if (file.is_closed()) return;
    using Transfer = std::ptrdiff_t(void*, void*, std::size_t, long, long);
    void* const library = dlopen(cubind::library_path(cubind::cufile::library()), RTLD_NOW);
    auto* const read = reinterpret_cast<Transfer*>(dlsym(library, "cuFileRead"));
    auto* const write = reinterpret_cast<Transfer*>(dlsym(library, "cuFileWrite"));
    if (read == nullptr || write == nullptr) std::abort();
    void* const memory = reinterpret_cast<void*>(with.memory.native_handle());
    // Both sides use the same handle of cuFile.
    const auto add = [&](const char* call, const char* way, auto one) { calls.add(call, way, 1, one); };
    add("cuFile's read of 64 MiB", "plain", [=] { expect_bytes(read(file.native_handle(), memory, large, 0, 0), large); });
    add("cuFile's read of 64 MiB", "File", [&with] { (void)file.read(with.memory); });
    add("cuFile's write of 64 MiB", "plain", [=] { expect_bytes(write(file.native_handle(), memory, large, 0, 0), large); });
    add("cuFile's write of 64 MiB", "File", [&with] { (void)file.write(with.memory); });
}

void add(Alternation& calls) {
    static Setup& setup = *new Setup;
    add_posix(calls, setup);
    add_cufile(calls, setup);
    std::filesystem::remove(setup.path);  // it is open
}

}  // namespace

int main(int argc, char** argv) {
    return run_benchmarks(argc, argv, add);
}

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Reads a file into device memory with cuFile. With GPUDirect Storage, the data bypasses the memory of the host. Without it,
// cuFile copies the data through the host. If cuFile cannot start, or does not support the file system, the program does so
// itself. The example prints which way it took.

#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/cufile.hpp>
#include <cubind/library.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include "example.hpp"

using namespace cubind;
using namespace cubind::cufile;

namespace {

constexpr std::size_t count = 1'000'000;
using Values = std::vector<std::uint32_t>;

// A file with these values, which exists as long as the object. Its descriptor can be read from the beginning.
class TemporaryFile {
public:
    explicit TemporaryFile(const Values& values) {
        std::string name = std::filesystem::temp_directory_path() / "file_read.XXXXXX";
        descriptor = mkstemp(name.data());
        if (descriptor < 0) throw std::runtime_error("cannot create the file " + name);
        path = name;
        const auto bytes = static_cast<ssize_t>(values.size() * sizeof values[0]);
        if (write(descriptor, values.data(), static_cast<std::size_t>(bytes)) != bytes || lseek(descriptor, 0, SEEK_SET) != 0)
            throw std::runtime_error("cannot write " + std::to_string(bytes) + " bytes to " + name);
    }
    ~TemporaryFile() {
        close(descriptor);
        unlink(path.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    std::string path;
    int descriptor;
};

// Reads the file with cuFile. Returns the bytes that were read, or nothing if cuFile cannot read this file.
std::optional<ssize_t> read_with_cufile(const TemporaryFile& file, const TypedBuffer<std::uint32_t>& buffer) {
    if (const auto opened = cuFileDriverOpen(); !opened.ok()) {
        std::printf("cuFile cannot start: %s\n", to_string(opened.status));
        return std::nullopt;
    }
    struct Driver {
        ~Driver() { (void)cuFileDriverClose(); }
    } driver;
    const bool has_direct_storage = check(cuFileDriverGetProperties()).nvfs.major_version != 0;
    CUfileDescr_t description{};
    description.type = CU_FILE_HANDLE_TYPE_OPAQUE_FD;
    description.handle.fd = file.descriptor;
    const auto handle = cuFileHandleRegister(&description);
    if (!handle.ok()) {
        std::printf("cuFile cannot read %s: %s\n", file.path.c_str(), to_string(handle.status));
        return std::nullopt;
    }
    const ssize_t bytes = cuFileRead(handle.value, reinterpret_cast<void*>(buffer.native_handle()), buffer.size_bytes(), 0, 0);
    cuFileHandleDeregister(handle.value);
    std::printf("cuFile read the file %s\n", has_direct_storage ? "with GPUDirect Storage" : "through the memory of the host");
    return bytes;
}

// Reads the file to the host and copies the data to the device. Returns the bytes that were read.
ssize_t read_through_host(const TemporaryFile& file, const Stream& stream, TypedBuffer<std::uint32_t>& buffer) {
    Values values(count);
    const ssize_t bytes = read(file.descriptor, values.data(), buffer.size_bytes());
    copy(stream, buffer, values);
    stream.synchronize();
    std::printf("the program read the file through the memory of the host\n");
    return bytes;
}

int file_read() {
    if (library_path(cufile::library()) == nullptr) return example::skip("cuFile, which is part of the toolkit, was not found.");
    Device device;
    device.set_current();  // cuFile uses the current context
    const Stream stream(device);
    Values values(count), result(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(i * 2654435761U);
    const TemporaryFile file(values);
    TypedBuffer<std::uint32_t> buffer = device.allocate<std::uint32_t>(stream, count);
    stream.synchronize();  // cuFile does not wait for the stream

    std::optional<ssize_t> bytes = read_with_cufile(file, buffer);
    if (!bytes) bytes = read_through_host(file, stream, buffer);
    copy(stream, result, buffer);
    stream.synchronize();
    std::printf("%zd of %zu bytes were read\n", *bytes, buffer.size_bytes());
    return example::verdict(*bytes == static_cast<ssize_t>(buffer.size_bytes()) && result == values,
                            "the device has the data of the file");
}

}  // namespace

int main() {
    return example::run(file_read);
}

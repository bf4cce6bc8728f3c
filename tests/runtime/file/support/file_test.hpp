// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core.hpp>
#include <cubind/file.hpp>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "core_test.hpp"
#include "cufile_stand_in.hpp"

namespace cubind::testing {

using Bytes = std::vector<unsigned char>;

/// Returns bytes whose values do not repeat in the size of a page.
inline Bytes pattern(std::size_t size) {
    Bytes bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i * 2654435761U >> 13);
    return bytes;
}

/// A folder that exists as long as the object.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = std::filesystem::temp_directory_path() / "cubind_file.XXXXXX";
        if (::mkdtemp(name.data()) == nullptr) std::abort();
        path_ = name;
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] std::string operator/(const char* name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

inline std::string write_file(const std::string& path, const Bytes& content) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
    return path;
}

inline Bytes content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::ptrdiff_t open_descriptors() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

/// Tests of files with simulated devices, whose transfers take the route posix.
class PosixFileTest : public CoreTest {
protected:
    PosixFileTest() : CoreTest({.devices = 2}) {
        stream_.synchronize();  // what the driver needs exists
        descriptors_ = open_descriptors();
    }
    ~PosixFileTest() override { EXPECT_LE(open_descriptors(), descriptors_); }  // the members of the test are destroyed

    /// Returns a buffer of the device with these bytes.
    TypedBuffer<unsigned char> on_device(const Bytes& bytes) {
        auto buffer = device_.allocate<unsigned char>(stream_, bytes.size());
        copy(stream_, buffer, bytes);
        stream_.synchronize();
        return buffer;
    }
    Bytes on_host(const TypedBuffer<unsigned char>& buffer) {
        Bytes bytes(buffer.count());
        copy(stream_, bytes, buffer);
        stream_.synchronize();
        return bytes;
    }
    std::string file_with(const Bytes& content) { return write_file(folder_ / "data", content); }

    TemporaryFolder folder_;
    Device device_{0};
    Stream stream_{device_};

private:
    std::ptrdiff_t descriptors_ = 0;
};

/// The same with a stand-in for cuFile.
class CufileTest : public PosixFileTest {
protected:
    ~CufileTest() override {
        EXPECT_EQ(stand_in().open, 0);
        EXPECT_EQ(stand_in().handles, 0);
        EXPECT_EQ(stand_in().batches, 0);
        EXPECT_TRUE(stand_in().registered.empty());
    }

    static CufileStandIn& stand_in() { return cufile_stand_in(); }
    static const CufileCall& latest() { return stand_in().calls.back(); }
    static FileOptions direct(bool write = false) { return {.write = write, .route = FileRoute::gpu_direct}; }

private:
    ScopedCufileStandIn stand_in_;
};

}  // namespace cubind::testing

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/file_program_cache.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <sys/types.h>

namespace cubind::testing {

using namespace cubind;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A timeout that exceeds the time limit of tests, for calls that must not reach their timeout.
inline constexpr std::chrono::milliseconds long_timeout = std::chrono::hours(24);

inline CacheKey key(std::uint64_t number) {
    CacheKey key;
    std::memcpy(key.bytes.data(), &number, sizeof number);
    return key;
}

/// The size of an entry's file without its program.
inline constexpr std::size_t entry_header_size = 88;

/// Returns a program of this size whose bytes depend on `seed`.
Bytes program(std::size_t size, unsigned seed = 1);

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& content);

/// The number of a user that is not root.
inline constexpr uid_t ordinary_user = 65534;

/// While an object of this class exists, a process of root acts as an ordinary user, because permissions do not restrict root.
/// The constructor changes the owner of the folder to that user.
class NotRoot {
public:
    explicit NotRoot(const std::filesystem::path& folder);
    NotRoot(const NotRoot&) = delete;
    NotRoot& operator=(const NotRoot&) = delete;
    ~NotRoot();
};

/// A fixture with a temporary folder.
class FileCacheTest : public ::testing::Test {
protected:
    FileCacheTest();
    ~FileCacheTest() override;

    FileProgramCacheOptions options(std::size_t max_size = 1 << 20) const { return {folder.string(), max_size}; }
    std::filesystem::path entry(const CacheKey& of) const { return folder / (of.to_string() + ".program"); }
    /// Returns the names of all files in the cache's folder.
    std::vector<std::string> names() const;
    /// Runs a function and returns the output of the cleanup handler.
    template <class Function>
    static std::string reports(Function&& function) {
        ::testing::internal::CaptureStderr();
        function();
        return ::testing::internal::GetCapturedStderr();
    }

    const std::filesystem::path scratch;
    /// A folder that does not exist until a cache creates it.
    const std::filesystem::path folder = scratch / "programs";
};

}  // namespace cubind::testing

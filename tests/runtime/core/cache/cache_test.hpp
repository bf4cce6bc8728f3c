// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/file_program_cache.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace cubind::testing {

using namespace cubind;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Long enough that a test which should not wait so long fails by the time limit of tests.
inline constexpr std::chrono::milliseconds forever = std::chrono::hours(24);

inline CacheKey key(std::uint64_t number) { return {number, ~number}; }

/// A program of this size whose bytes depend on `seed`.
Bytes program(std::size_t size, unsigned seed = 1);

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& content);

/// Root may do what permissions forbid. While this lives, a process of root acts for a user who is nobody.
class NotRoot {
public:
    NotRoot();
    NotRoot(const NotRoot&) = delete;
    NotRoot& operator=(const NotRoot&) = delete;
    ~NotRoot();
};

/// Has a folder of its own, which is gone afterwards.
class FileCacheTest : public ::testing::Test {
protected:
    FileCacheTest();
    ~FileCacheTest() override;

    FileProgramCacheOptions options(std::size_t max_size = 1 << 20) const { return {folder.string(), max_size}; }
    std::filesystem::path entry(const CacheKey& of) const { return folder / (of.to_string() + ".program"); }
    /// Names of all files in the cache's folder.
    std::vector<std::string> names() const;
    /// Runs a function and gives what the cleanup handler printed meanwhile.
    template <class Function>
    static std::string reports(Function&& function) {
        ::testing::internal::CaptureStderr();
        function();
        return ::testing::internal::GetCapturedStderr();
    }

    const std::filesystem::path scratch;
    /// Not there until a cache makes it.
    const std::filesystem::path folder = scratch / "programs";
};

}  // namespace cubind::testing

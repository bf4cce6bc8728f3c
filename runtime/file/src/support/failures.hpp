// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/cufile/types.hpp>
#include <cubind/file/file_error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace CUBIND_NAMESPACE::detail::io {

/// Where a call was made, for messages.
struct Where {
    const char* operation;
    const std::string& path;
    std::uint64_t offset = 0;
    std::size_t size = 0;
    std::size_t completed = 0;

    /// Returns the place after this number of bytes.
    [[nodiscard]] Where after(std::size_t bytes) const noexcept { return {operation, path, offset, size, bytes}; }
};

/// Returns the largest size that one call of cuFile or of the operating system transfers: Linux transfers less than 2 GiB.
inline constexpr std::size_t max_call_size = std::size_t{1} << 30;

/// Throws FileError for a failed call of the operating system.
[[noreturn]] void throw_system_failure(const char* function, int error, const Where& where, const std::string& advice = {});
/// Throws FileError for the status of the calling thread's latest call of cuFile.
[[noreturn]] void throw_cufile_failure(const cufile::CUfileError& status, const Where& where, const std::string& advice = {});
/// Throws FileError for a status that cuFile has stored or that no call has returned; `function` names what is to blame.
[[noreturn]] void throw_cufile_status(const char* function, const cufile::CUfileError& status, const Where& where,
                                      const std::string& advice = {});
/// Throws FileError for the negative number that a transfer of cuFile has returned: -1 with an errno, or a negated status.
/// Batches and streams negate the errno, too.
[[noreturn]] void throw_cufile_transfer(const char* function, std::ptrdiff_t returned, int system_error, const Where& where);

/// Throws FileError unless the call of cuFile has succeeded, and returns its value.
template <class Result>
auto checked(const Result& result, const Where& where, const std::string& advice = {}) {
    if (!result.ok()) [[unlikely]]
        throw_cufile_failure(result.status, where, advice);
    if constexpr (requires { result.value; }) return result.value;
}

}  // namespace CUBIND_NAMESPACE::detail::io

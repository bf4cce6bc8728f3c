// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>
#include <cubind/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>

namespace CUBIND_NAMESPACE {

#if defined(__cpp_exceptions)

/// A failed operation of a file. what() states the operation, the path, offset and size, the codes and what to do. The library is
/// "cufile", whose code() is a CUfileOpError, or "system", whose code() is an errno.
class CUBIND_EXPORT FileError : public Error {
public:
    /// The operation that failed.
    struct Place {
        std::string operation;      ///< such as "read"
        std::string path = {};      ///< as it was passed to File
        std::uint64_t offset = 0;   ///< of the operation, in the file
        std::size_t size = 0;       ///< of the operation, in bytes
        std::size_t completed = 0;  ///< how many of them were transferred before the failure
    };

    /// Creates a copy of `failure` whose message has the place, the status of the driver and `advice` at the end.
    FileError(const Error& failure, Place place, driver::CUresult driver_status, const std::string& advice);

    /// Returns the operation that failed: "open", "read", "write" or another function of the classes.
    [[nodiscard]] const std::string& operation() const noexcept { return place_.operation; }
    /// Returns the path of the file; empty if the operation concerns none.
    [[nodiscard]] const std::string& path() const noexcept { return place_.path; }
    /// Returns the first byte of the operation in the file.
    [[nodiscard]] std::uint64_t offset() const noexcept { return place_.offset; }
    /// Returns the size of the operation in bytes.
    [[nodiscard]] std::size_t size() const noexcept { return place_.size; }
    /// Returns how many bytes were transferred before the failure, from the first one on.
    [[nodiscard]] std::size_t completed() const noexcept { return place_.completed; }
    /// Returns the status of the driver that cuFile has reported beside its own; CUDA_SUCCESS if there is none.
    [[nodiscard]] driver::CUresult driver_status() const noexcept { return driver_status_; }
    /// Returns the error of the operating system; empty if another library has failed.
    [[nodiscard]] std::error_code system_code() const noexcept;

private:
    Place place_;
    driver::CUresult driver_status_;
};

#endif

}  // namespace CUBIND_NAMESPACE

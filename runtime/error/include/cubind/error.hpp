// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>
#include <cubind/driver/status.hpp>

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace CUBIND_NAMESPACE {

#if defined(__cpp_exceptions)

/// The status of a failed call together with the library that returned it. It can be compared with another ErrorCode, and with
/// an enumerator of a library's status enum. A comparison with an enumerator needs the status header of the library; this
/// header includes the status header of "driver". Codes are equal if both the library and the value are equal. It cannot be
/// compared with an integer: use value().
///
///     if (error.code() == driver::CUDA_ERROR_OUT_OF_MEMORY) ...
class ErrorCode {
public:
    /// Creates the code of a status `value` of the library.
    ErrorCode(std::string library, int value) noexcept : library_(std::move(library)), value_(value) {}

    /// Returns the library's name, e.g. "driver".
    [[nodiscard]] const std::string& library() const noexcept { return library_; }
    /// Returns the status as a number.
    [[nodiscard]] int value() const noexcept { return value_; }

    /// Returns whether library and value are equal.
    [[nodiscard]] friend bool operator==(const ErrorCode& left, const ErrorCode& right) noexcept = default;
    /// Returns whether `status` is an enumerator of the same library with the same value.
    template <class Status>
    requires std::is_enum_v<Status> && requires(Status status) { library_name(status); }
    [[nodiscard]] friend bool operator==(const ErrorCode& code, Status status) noexcept {
        return code.value_ == static_cast<int>(status) && code.library_ == library_name(status);
    }

private:
    std::string library_;
    int value_;
};

/// A failed call. what() states the function that failed, and the name, number and meaning of the status. For a missing library
/// or symbol, it also states what was searched for and where. It ends with driver_log(). Thrown by check(). Not declared with
/// -fno-exceptions.
class CUBIND_EXPORT Error : public std::runtime_error {
public:
    /// Creates the error of a function that returned the status `code`. `driver_log` is what the driver has written about it.
    Error(std::string library, std::string function, int code, std::string name, const std::string& explanation,
          std::string driver_log = {});

    /// Creates a copy of `failure` whose message has the sentence `advice` at the end, before the driver's log.
    Error(const Error& failure, const std::string& advice);

    /// Returns the library's name, e.g. "driver".
    [[nodiscard]] const std::string& library() const noexcept { return code_.library(); }
    /// Returns the ABI symbol that failed, e.g. "cuMemAlloc_v2"; empty if it is not known.
    [[nodiscard]] const std::string& function() const noexcept { return function_; }
    /// Returns the status and its library.
    [[nodiscard]] const ErrorCode& code() const noexcept { return code_; }
    /// Returns the name of the status, e.g. "CUDA_ERROR_OUT_OF_MEMORY".
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    /// Returns the lines that the driver wrote to its log during the failed call, on the thread that made it, separated by
    /// newlines: "[time][thread][CUDA][E] text". Drivers of CUDA 12.9 and later have a log of all threads (cuLogs*), whose last
    /// line about a call is "Returning CODE (NAME) from SYMBOL". Lines of other threads, and of other calls, are left out. For a
    /// call of the library "runtime", which calls the driver, the lines of the thread's latest failed call of the driver, if that
    /// has returned the same number.
    ///
    /// Empty if the driver is older or has written nothing, for other libraries, for a stored result if several functions have
    /// returned its status lately, with the environment variable CUBIND_DRIVER_LOG=0, in host functions of streams, which must
    /// not call the driver, and in a child of fork() whose parent had loaded the driver, because another thread of the parent may
    /// have had a lock of the log. A driver keeps about 100 lines, so that older lines of a long explanation may be missing. What
    /// the driver writes on its own threads is left out.
    ///
    /// A success costs nothing: the log is read when the error is thrown (cuLogsCurrent, cuLogsDumpToMemory), without a callback,
    /// and without changing what other code of the process reads. If no memory is left for the lines, they are left out.
    [[nodiscard]] const std::string& driver_log() const noexcept { return driver_log_; }

    /// Returns whether the context is lost: each later call that uses it returns the same status. Kernels cause most of these
    /// statuses. After CUDA_ERROR_ASSERT, a new context can be used; after the others, only a new process can use the device.
    /// True for statuses of the driver and of the runtime library.
    [[nodiscard]] bool is_sticky() const noexcept;

private:
    ErrorCode code_;
    std::string function_;
    std::string name_;
    std::string driver_log_;
};

/// There was not enough memory of the requested kind: on the device, on the host, or in a pool with a limit.
class CUBIND_EXPORT OutOfMemory : public Error {
public:
    using Error::Error;
};

/// Code could not be loaded onto the device, or does not contain the requested symbol.
class CUBIND_EXPORT LoadError : public Error {
public:
    using Error::Error;
};

/// A program did not compile. what() has the compiler's log at the end.
class CUBIND_EXPORT CompileError : public Error {
public:
    /// Creates a copy of `failure` whose message has `advice` and the log at the end.
    CompileError(const Error& failure, const std::string& advice, std::string log);

    /// Returns the compiler's log (warnings and errors) verbatim.
    [[nodiscard]] const std::string& log() const noexcept { return log_; }

private:
    std::string log_;
};

/// Object code did not link. what() has the linker's log at the end, before the driver's.
class CUBIND_EXPORT LinkError : public Error {
public:
    /// Creates a copy of `failure` whose message has `advice` and the log at the end.
    LinkError(const Error& failure, const std::string& advice, std::string log);

    /// Returns the linker's log (warnings and errors) verbatim.
    [[nodiscard]] const std::string& log() const noexcept { return log_; }

private:
    std::string log_;
};

namespace detail {

/// Throws Error, or the derived class for the status. The error has the function and the details of last_failure() if the status
/// comes from the thread's latest call; otherwise the message mentions the functions that have returned the same status lately,
/// and the error names no function.
[[noreturn]] CUBIND_EXPORT void throw_error(const char* library, int code, const char* name, const char* explanation,
                                            bool is_latest_call);

}  // namespace detail

#endif

}  // namespace CUBIND_NAMESPACE

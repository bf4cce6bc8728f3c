// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace cubind {

#if defined(__cpp_exceptions)

/// A call that did not succeed. what() says which function failed, its status by name and number, what that means, and for a missing
/// library or symbol what was looked for and where. Thrown by check(); with -fno-exceptions it is not declared.
class Error : public std::runtime_error {
public:
    Error(std::string library, std::string function, int code, std::string name, const std::string& explanation);

    /// The same failure, with one more sentence on what was tried and what to do.
    Error(const Error& failure, const std::string& advice);

    /// The library's name, e.g. "driver".
    const std::string& library() const noexcept { return library_; }
    /// The ABI symbol that failed, e.g. "cuMemAlloc_v2"; empty where it is not known.
    const std::string& function() const noexcept { return function_; }
    /// The status as a number; compare it with an enumerator of the library's status enum.
    int code() const noexcept { return code_; }
    /// The status as a name, e.g. "CUDA_ERROR_OUT_OF_MEMORY".
    const std::string& name() const noexcept { return name_; }

private:
    std::string library_;
    std::string function_;
    int code_;
    std::string name_;
};

/// There was not enough memory of the kind that was asked for: on the device, of the host, in a pool with a limit.
class OutOfMemory : public Error {
public:
    using Error::Error;
};

/// Code could not be loaded onto the device, or has no symbol of the name that was asked for.
class LoadError : public Error {
public:
    using Error::Error;
};

/// A program did not compile. what() ends with the compiler's log.
class CompileError : public Error {
public:
    CompileError(const Error& failure, const std::string& advice, std::string log);

    /// The compiler's log: warnings and errors, as it wrote them.
    const std::string& log() const noexcept { return log_; }

private:
    std::string log_;
};

/// Object code did not link. what() ends with the linker's log.
class LinkError : public Error {
public:
    LinkError(const Error& failure, const std::string& advice, std::string log);

    /// The linker's log: warnings and errors, as it wrote them.
    const std::string& log() const noexcept { return log_; }

private:
    std::string log_;
};

namespace detail {

/// Throws Error, or the class of its family that the status stands for, with what last_failure() knows of it.
[[noreturn]] void throw_error(const char* library, int code, const char* name, const char* explanation);

}  // namespace detail

#endif

}  // namespace cubind

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

namespace detail {

/// Throws Error for a status that is not success, with what last_failure() knows of it.
[[noreturn]] void throw_error(const char* library, int code, const char* name, const char* explanation);

}  // namespace detail

#endif

}  // namespace cubind

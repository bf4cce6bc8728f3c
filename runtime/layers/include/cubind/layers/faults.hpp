// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

/// @file
/// A layer that makes calls fail, so that tests can execute a program's error paths:
///
///     layers::faults::start();
///     layers::faults::fail("cuMemAlloc", driver::CUDA_ERROR_OUT_OF_MEMORY, 3);   // the third call from now
///
/// A failed call returns the status, in the first member where it is a struct as cuFile's, writes no result and does not reach
/// the vendor's function. A call that destroys an object is an exception: it reaches the vendor's function and then returns the
/// status, because otherwise the program could no longer destroy the object. A function is named by its symbol, such as
/// "cuMemAlloc_v2". A name without a version, such as "cuMemAlloc", selects all symbols that extend the name by "_...". Any
/// thread may call these functions; calls of all threads are counted.
namespace CUBIND_NAMESPACE::layers::faults {

/// Starts the layer: it counts all calls, and each call that fail() selects fails.
CUBIND_EXPORT void start();

/// Stops the layer and discards faults and counts.
CUBIND_EXPORT void stop();

/// Value for the parameter `call` of fail() that selects every call.
CUBIND_HIDDEN inline constexpr unsigned long every_call = 0;

/// Makes the function return `status` in the call-th call from now on, or in every call if `call` is every_call. Throws
/// std::invalid_argument if no library has the function, the function returns no status, or the status is 0, which is success.
CUBIND_EXPORT void fail(const std::string& function, int status, unsigned long call = 1);

/// Makes the function return `status`, an enumerator of its library, in the call-th call from now on. Throws like the
/// overload above.
template <class Status>
requires std::is_enum_v<Status>
void fail(const std::string& function, Status status, unsigned long call = 1) {
    fail(function, static_cast<int>(status), call);
}

/// Discards the faults but not the counts.
CUBIND_EXPORT void clear();

/// Returns the number of calls of the function since start(). Throws std::invalid_argument if no library has the function.
CUBIND_EXPORT unsigned long calls(const std::string& function);

/// A call that was made to fail.
struct Fault {
    std::string function;  ///< symbol
    unsigned long call;    ///< position among the operation's calls that can fail, starting at 1
    int status;            ///< status that the call returned
};

/// Options of fail_each_call().
struct FailEachCallOptions {
    /// Status that the failed call returns, not 0; if empty, the library's status for an invalid argument.
    std::optional<int> status = {};
    /// Functions that never fail, named as for fail().
    std::vector<std::string> except = {};
    /// Function that is called after each run in which a call failed, for example to check for leaks.
    std::function<void(const Fault&)> after = nullptr;
};

/// Runs `operation` repeatedly and makes the first call fail in the first run, the second call in the second run, and so on,
/// until a run ends without a fault. Returns the number of faults. Counts calls of this thread only. Catches and ignores
/// exceptions of the operation in runs with a fault. The layer is active only during this function. If the environment variable
/// CUBIND_FAULTS_LOG names a file, appends to it the name of each function that was made to fail.
std::size_t fail_each_call(const std::function<void()>& operation, const FailEachCallOptions& options = {});

}  // namespace CUBIND_NAMESPACE::layers::faults

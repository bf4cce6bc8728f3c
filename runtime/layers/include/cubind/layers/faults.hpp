// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

/// A layer that makes calls fail, so that a program's error paths run:
///
///     layers::faults::start();
///     layers::faults::fail("cuMemAlloc", driver::CUDA_ERROR_OUT_OF_MEMORY, 3);   // the third call from now
///
/// A call that is made to fail does not reach the vendor's function, writes no result and returns the status. Only a call that ends
/// an object is made all the same and its success hidden, since otherwise nobody could end the object any more.
/// A function goes by its symbol, "cuMemAlloc_v2", or by a name that stands for all symbols that extend it by "_...", "cuMemAlloc".
/// Any thread may call these functions; calls of all threads count.
namespace cubind::layers::faults {

/// Begins counting calls, and making those fail that fail() names.
void start();

/// Ends it, and forgets faults and counts.
void stop();

/// What call of fail() stands for every one.
inline constexpr unsigned long every_call = 0;

/// Makes the call-th call of the function from now on return `status`; with every_call, each one. Throws std::invalid_argument where
/// no library has such a function, or it returns no status.
void fail(const std::string& function, int status, unsigned long call = 1);

template <class Status>
    requires std::is_enum_v<Status>
void fail(const std::string& function, Status status, unsigned long call = 1) {
    fail(function, static_cast<int>(status), call);
}

/// Forgets the faults, not the counts.
void clear();

/// Calls of the function since start().
unsigned long calls(const std::string& function);

/// A call that was made to fail.
struct Fault {
    std::string function;  ///< symbol
    unsigned long call;    ///< of all calls that the operation made, the first being 1
    int status;
};

struct EachCall {
    /// What a call returns; nothing: the library's status for an invalid argument.
    std::optional<int> status = {};
    /// Functions, as for fail(), that never fail.
    std::vector<std::string> except = {};
    /// Called after each run in which a call failed: the place to check that nothing leaked.
    std::function<void(const Fault&)> after = nullptr;
};

/// Runs `operation` until all of its calls succeed: the first call fails in the first run, the second one in the second run, and so
/// on. Counts calls of this thread only. Exceptions of the operation are dropped in runs in which a call was made to fail. Starts the
/// layer for as long as it takes. Returns the number of faults. Appends the name of each function that was made to fail to the file that
/// CUBIND_FAULTS_LOG names, if it does.
std::size_t fail_each_call(const std::function<void()>& operation, const EachCall& options = {});

}  // namespace cubind::layers::faults

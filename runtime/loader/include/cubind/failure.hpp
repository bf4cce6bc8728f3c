// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE {

/// Reason why a call failed.
enum class FailureReason : unsigned char {
    none,             ///< no call has failed on this thread
    status,           ///< the vendor's function ran and returned a status other than success
    library_missing,  ///< the function's library could not be loaded
    symbol_missing,   ///< the library was loaded and does not export the function
};

/// Description of the latest failed call of a thread. All texts live as long as the process.
struct Failure {
    const char* library;   ///< Library::name; "" before the first failure
    const char* function;  ///< ABI symbol; "" before the first failure and if only a library was requested
    int status;            ///< status that the call returned
    FailureReason reason;  ///< why the call failed
    /// Details. For library_missing: all places that were searched, why each search failed, and the remedy. For symbol_missing:
    /// the release that introduced the function, the path and version of the loaded file, and the remedy. Otherwise "".
    const char* detail;
};

/// Returns the calling thread's latest failure. A successful call never changes it. The reference is valid until the thread
/// ends. Later failures change its target, so copy the struct to preserve a failure.
CUBIND_EXPORT const Failure& last_failure() noexcept;

}  // namespace CUBIND_NAMESPACE

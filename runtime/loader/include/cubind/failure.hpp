// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cubind {

/// Why a call failed.
enum class FailureReason : unsigned char {
    none,             ///< nothing has failed on this thread yet
    status,           ///< the vendor's function ran and returned a status other than success
    library_missing,  ///< the function's library could not be loaded
    symbol_missing,   ///< the library was loaded and does not export the function
};

/// What is known about the latest failing call of a thread. Every text lives as long as the process.
struct Failure {
    const char* library;   ///< name of the library's row, "" before the first failure
    const char* function;  ///< ABI symbol; "" before the first failure and when a library alone was asked for
    int status;            ///< what the call returned
    FailureReason reason;
    /// library_missing: every place that was tried, why it gave nothing, and the remedy.
    /// symbol_missing: the release that introduced the function, the file and version that was found instead, and the remedy.
    /// Otherwise "".
    const char* detail;
};

/// The calling thread's latest failure. A call that succeeds never changes it. The reference stays valid
/// until the thread ends and shows later failures too, so copy the struct to keep one.
const Failure& last_failure() noexcept;

}  // namespace cubind

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/error.hpp>

#include <string>

namespace CUBIND_NAMESPACE::nccl {

#if defined(__cpp_exceptions)

/// A failed operation of NCCL: a call failed, a rank ended, or a wait took too long. what() states the operation, the rank, and
/// the text of NCCL about its last error, whose details NCCL prints if the environment variable NCCL_DEBUG is WARN.
class CUBIND_EXPORT CommunicationError : public Error {
public:
    /// Creates a copy of `failure` whose message has the operation, the rank, `last_error` and `advice` at the end.
    CommunicationError(const Error& failure, std::string operation, int rank, std::string last_error, const std::string& advice);

    /// Returns the function of cubind that failed, such as "all_reduce"; for a failed wait, the last one before it.
    [[nodiscard]] const std::string& operation() const noexcept { return operation_; }
    /// Returns the rank of this side of the communicator, or -1 if none is known, as for a group.
    [[nodiscard]] int rank() const noexcept { return rank_; }
    /// Returns what NCCL has stored about its last error; empty if it has stored nothing (ncclGetLastError).
    [[nodiscard]] const std::string& last_error() const noexcept { return last_error_; }

private:
    std::string operation_;
    std::string last_error_;
    int rank_;
};

#endif

}  // namespace CUBIND_NAMESPACE::nccl

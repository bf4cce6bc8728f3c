// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/bootstrap/communication_error.hpp>

#include <string>

namespace CUBIND_NAMESPACE::nccl {

#if defined(__cpp_exceptions)

/// A failed operation of NCCL: a call failed, a rank ended, or a wait took too long. what() states the operation, the rank, and
/// the text of NCCL about its last error, whose details NCCL prints if the environment variable NCCL_DEBUG is WARN. The rank is
/// that of the communicator, or -1 if none is known, as for a group.
class CUBIND_EXPORT CommunicationError : public cubind::CommunicationError {
public:
    /// Creates a copy of `failure` whose message has the operation, the rank, `last_error` and `advice` at the end.
    CommunicationError(const Error& failure, std::string operation, int rank, std::string last_error, const std::string& advice);

    /// Returns what NCCL has stored about its last error; empty if it has stored nothing (ncclGetLastError).
    [[nodiscard]] const std::string& last_error() const noexcept { return last_error_; }

private:
    std::string last_error_;
};

#endif

}  // namespace CUBIND_NAMESPACE::nccl

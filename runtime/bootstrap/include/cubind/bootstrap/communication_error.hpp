// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/error.hpp>

#include <string>

namespace CUBIND_NAMESPACE {

#if defined(__cpp_exceptions)

/// A failed operation of a library that connects processes: nccl::CommunicationError and nvshmem::CommunicationError derive from
/// it. what() states the operation, the rank and the remedy.
class CUBIND_EXPORT CommunicationError : public Error {
public:
    /// Returns the function of cubind that failed, such as "all_reduce"; for a failed wait, the last one before it.
    [[nodiscard]] const std::string& operation() const noexcept { return operation_; }
    /// Returns the rank of this side, which NVSHMEM calls its PE, or -1 if none is known.
    [[nodiscard]] int rank() const noexcept { return rank_; }

protected:
    /// Creates a copy of `failure` whose message has the operation, the rank by the library's name for it, and `advice` at the
    /// end.
    CommunicationError(const Error& failure, std::string operation, const char* name_of_rank, int rank,
                       const std::string& advice);

private:
    std::string operation_;
    int rank_;
};

#endif

}  // namespace CUBIND_NAMESPACE

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/bootstrap/communication_error.hpp>

#include <string>

namespace CUBIND_NAMESPACE::nvshmem {

#if defined(__cpp_exceptions)

/// A failed operation of NVSHMEM. what() states the operation, the PE, the status and the remedy. NVSHMEM prints details if the
/// environment variable NVSHMEM_DEBUG is WARN. Most functions of NVSHMEM return no status: if one fails, NVSHMEM prints the
/// reason and ends the process.
class CUBIND_EXPORT CommunicationError : public cubind::CommunicationError {
public:
    /// Creates a copy of `failure` whose message has the operation, the PE and `advice` at the end.
    CommunicationError(const Error& failure, std::string operation, int pe, const std::string& advice);

    /// Returns the number of this PE, or -1 if it is not known yet: rank().
    [[nodiscard]] int pe() const noexcept { return rank(); }
};

#endif

}  // namespace CUBIND_NAMESPACE::nvshmem

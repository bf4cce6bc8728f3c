// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Marks the calling thread as running a host function of a stream for the lifetime of the object.
class CUBIND_EXPORT HostFunctionScope {
public:
    HostFunctionScope() noexcept;
    HostFunctionScope(const HostFunctionScope&) = delete;
    HostFunctionScope& operator=(const HostFunctionScope&) = delete;
    ~HostFunctionScope();
};

/// Returns whether the calling thread runs a host function that cubind passed to a stream. Such a function must not call CUDA.
[[nodiscard]] CUBIND_EXPORT bool is_in_host_function() noexcept;

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::sim {

/// A scope in which the calling thread may hold locks of the simulation. Scopes may be nested.
class CallScope {
public:
    CallScope() noexcept;
    ~CallScope();
    CallScope(const CallScope&) = delete;
    CallScope& operator=(const CallScope&) = delete;
};

/// Checks whether another thread is in such a scope. In a child of fork(), the threads are the parent's threads at the time of
/// the fork(). Locks that they held remain locked.
bool are_other_threads_in_calls() noexcept;

}  // namespace CUBIND_NAMESPACE::sim

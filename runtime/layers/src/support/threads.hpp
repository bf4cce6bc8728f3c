// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <chrono>

namespace CUBIND_NAMESPACE::layers {

/// Returns a number for the calling thread: 1, 2, ... in the order in which threads first called this function.
unsigned this_thread_number() noexcept;

/// Returns the time since the first call of this function in the process.
std::chrono::nanoseconds time_since_start() noexcept;

}  // namespace CUBIND_NAMESPACE::layers

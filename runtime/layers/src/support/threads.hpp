// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace cubind::layers {

/// A number for the calling thread: 1, 2, ... in the order in which threads first asked.
unsigned this_thread_number() noexcept;

/// Time since the process first asked.
std::chrono::nanoseconds time_since_start() noexcept;

}  // namespace cubind::layers

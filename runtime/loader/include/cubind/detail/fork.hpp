// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Makes fork() hold the lock of the entry points while it copies the process, so that functions can be looked up in the child.
/// Layers call it before they add handlers for their own locks, which are acquired first.
CUBIND_EXPORT void hold_entry_points_during_fork() noexcept;

}  // namespace CUBIND_NAMESPACE::detail

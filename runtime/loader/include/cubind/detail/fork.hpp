// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Makes fork() hold the lock of the entry points while it copies the process, so that functions can be looked up in the child.
/// Layers call it before they add fork handlers for their own locks, because fork() then acquires the locks of the layers
/// first.
CUBIND_EXPORT void hold_entry_points_during_fork() noexcept;

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/entry_point.hpp>

namespace cubind::detail {

/// Gives an entry that has no address the function found for it, or the function's interceptor while calls are intercepted.
/// Returns what the entry has then: somebody else may have put something there before.
void* store_address(EntryPoint& entry, void* found) noexcept;

/// Gives an entry another address and returns the one before. While calls are intercepted the interceptor stays in front of it, and
/// nobody is given the interceptor's own address to forward to.
void* replace_address(EntryPoint& entry, void* replacement) noexcept;

}  // namespace cubind::detail

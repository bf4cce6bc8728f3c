// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/entry_point.hpp>

namespace cubind::detail {

/// Gives an entry that has no address the function found for it, or the function's interceptor while calls are intercepted.
/// Returns what the entry has then: somebody else may have put something there before.
void* store_address(EntryPoint& entry, void* found) noexcept;

}  // namespace cubind::detail

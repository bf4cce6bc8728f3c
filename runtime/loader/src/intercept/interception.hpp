// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/entry_point.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Stores the address `found` in an entry that has no address; while calls are intercepted, stores the function's interceptor
/// instead. Returns the address that the entry has afterwards, which another thread may have stored first.
void* store_address(EntryPoint& entry, void* found) noexcept;

/// Replaces the address of an entry and returns the previous one. While calls are intercepted, the interceptor stays installed
/// and forwards to the new address; the interceptor's own address is never returned.
void* replace_address(EntryPoint& entry, void* replacement) noexcept;

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/loading.hpp>
#include <cubind/entry_point.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Returns has(entry), for callers that remember the result. Throws std::bad_alloc if memory or file descriptors were exhausted
/// during the lookup, because a later lookup may find the function.
[[nodiscard]] CUBIND_EXPORT bool is_available(EntryPoint& entry);

/// Returns whether the driver has the function of a wrapper, in the same way.
template <class Return, class... Arguments>
[[nodiscard]] bool is_available(Return (*wrapper)(Arguments...) noexcept) {
    return is_available(*driver::entry_point_of(reinterpret_cast<void (*)()>(wrapper)));
}

}  // namespace CUBIND_NAMESPACE::detail

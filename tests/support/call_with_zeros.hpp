// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/result.hpp>

#include <type_traits>

namespace cubind::testing {

/// Returns a zero argument of that type. A reference binds to a static zero object.
template <class Type>
Type zero() {
    if constexpr (std::is_reference_v<Type>) {
        static std::remove_cv_t<std::remove_reference_t<Type>> object{};
        return static_cast<Type>(object);
    } else {
        return Type{};
    }
}

/// Calls a wrapper with zero arguments and returns its status, or 0 if it returns none.
template <class Status, class... Values, class... Arguments>
int call_with_zeros(cubind::Result<Status, Values...> (*wrapper)(Arguments...) noexcept) {
    return static_cast<int>(wrapper(zero<Arguments>()...).status);
}

template <class Return, class... Arguments>
[[maybe_unused]] int call_with_zeros(Return (*wrapper)(Arguments...) noexcept) {
    static_cast<void>(wrapper(zero<Arguments>()...));
    return 0;
}

}  // namespace cubind::testing

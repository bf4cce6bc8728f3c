// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/result.hpp>
#include <cubind/status.hpp>

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

/// Calls a wrapper with zero arguments and returns the number of its status.
template <class Status, class... Values, class... Arguments>
int call_with_zeros(cubind::Result<Status, Values...> (*wrapper)(Arguments...) noexcept) {
    return cubind::StatusTraits<Status>::code(wrapper(zero<Arguments>()...).status);
}

/// Calls a wrapper without a status and returns what it returns if that is an enum or a signed integer, else 0.
template <class Return, class... Arguments>
[[maybe_unused]] int call_with_zeros(Return (*wrapper)(Arguments...) noexcept) {
    if constexpr (std::is_enum_v<Return> || (std::is_integral_v<Return> && std::is_signed_v<Return>)) {
        return static_cast<int>(wrapper(zero<Arguments>()...));
    } else {
        static_cast<void>(wrapper(zero<Arguments>()...));
        return 0;
    }
}

}  // namespace cubind::testing

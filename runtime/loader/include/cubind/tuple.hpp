// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @file
/// Results as tuples: cubind::get, cubind::apply, to_tuple, std::tuple_size and std::tuple_element. This is a separate header
/// because `<tuple>` alone costs more to compile than `<cuda.h>`. Structured bindings work without this header.
///
///     get<1>(driver::cuMemGetInfo());                       // free bytes; argument-dependent lookup finds cubind::get
///     std::apply(function, to_tuple(driver::cuMemGetInfo()));  // or cubind::apply(function, result)
///
/// The header adds only specializations of tuple_size and tuple_element to namespace std.

#include <cubind/long_result.hpp>
#include <cubind/result.hpp>

#include <cstddef>
#include <tuple>
#include <utility>

namespace CUBIND_NAMESPACE {
namespace detail {

/// Returns element `Index` of the result: the status, then the values.
template <std::size_t Index, class Result>
constexpr auto& element(Result& result) noexcept {
    if constexpr (Index == 0) {
        return result.status;
    } else if constexpr (requires { result.value; }) {
        static_assert(Index == 1, "this result has one value");
        return result.value;
    } else if constexpr (Index == 1) {
        return result.value1;
    } else if constexpr (Index == 2) {
        return result.value2;
    } else if constexpr (Index == 3) {
        return result.value3;
    } else if constexpr (Index == 4) {
        return result.value4;
    } else if constexpr (Index == 5) {
        return result.value5;
    } else if constexpr (Index == 6) {
        return result.value6;
    } else {
        return value_of(result, ValueIndex<Index>());
    }
}

}  // namespace detail

/// Returns element `Index` of a result: 0 is the status, 1 the first value. Structured bindings call it, because
/// std::tuple_size is specialized.
template <std::size_t Index, class... Elements>
constexpr auto& get(Result<Elements...>& result) noexcept {
    return detail::element<Index>(result);
}
/// Returns element `Index` of a constant result.
template <std::size_t Index, class... Elements>
constexpr const auto& get(const Result<Elements...>& result) noexcept {
    return detail::element<Index>(result);
}
/// Returns element `Index` of a temporary result.
template <std::size_t Index, class... Elements>
constexpr auto&& get(Result<Elements...>&& result) noexcept {
    return static_cast<std::tuple_element_t<Index, std::tuple<Elements...>>&&>(detail::element<Index>(result));
}

/// Returns the status and the values as a std::tuple.
template <class... Elements>
constexpr std::tuple<Elements...> to_tuple(const Result<Elements...>& result) {
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        return std::tuple<Elements...>(detail::element<Index>(result)...);
    }
    (std::index_sequence_for<Elements...>{});
}

/// Calls `function(status, values...)` and returns what it returns.
template <class Function, class... Elements>
constexpr decltype(auto) apply(Function&& function, const Result<Elements...>& result) {
    return [&]<std::size_t... Index>(std::index_sequence<Index...>)->decltype(auto) {
        return static_cast<Function&&>(function)(detail::element<Index>(result)...);
    }
    (std::index_sequence_for<Elements...>{});
}
// If an element has a type of namespace std, argument-dependent lookup also finds std::apply. The overloads below accept other
// value categories, so that std::apply is not the better match.

/// Calls `function(status, values...)` with a result that is not constant.
template <class Function, class... Elements>
constexpr decltype(auto) apply(Function&& function, Result<Elements...>& result) {
    return cubind::apply(static_cast<Function&&>(function), std::as_const(result));
}
/// Calls `function(status, values...)` with a temporary result.
template <class Function, class... Elements>
constexpr decltype(auto) apply(Function&& function, Result<Elements...>&& result) {
    return cubind::apply(static_cast<Function&&>(function), std::as_const(result));
}

}  // namespace CUBIND_NAMESPACE

template <class... Elements>
struct std::tuple_size<cubind::Result<Elements...>> : std::integral_constant<std::size_t, sizeof...(Elements)> {};

template <std::size_t Index, class... Elements>
struct std::tuple_element<Index, cubind::Result<Elements...>> : std::tuple_element<Index, std::tuple<Elements...>> {};

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/error.hpp>
#include <cubind/tuple.hpp>

namespace cubind {

#if defined(__cpp_exceptions)

/// Gives what a call returned besides its status, or throws Error if the status is not success: nothing, the value, or a std::tuple
/// of the values. Needs the strings header of the library, e.g. <cubind/driver/strings.hpp>.
///
///     CUdeviceptr memory = check(driver::cuMemAlloc(64));
///     auto [free, total] = check(driver::cuMemGetInfo());
template <class Status, class... Values>
auto check(const Result<Status, Values...>& result) {
    if (!result.ok()) [[unlikely]] {
        detail::throw_error(library_name(result.status), static_cast<int>(result.status), to_string(result.status), describe(result.status));
    }
    if constexpr (sizeof...(Values) == 1) {
        return result.value;
    } else if constexpr (sizeof...(Values) > 1) {
        return cubind::apply([](const Status&, const Values&... values) { return std::tuple<Values...>(values...); }, result);
    }
}

#endif

}  // namespace cubind

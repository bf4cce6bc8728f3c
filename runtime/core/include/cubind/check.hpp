// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/error.hpp>
#include <cubind/tuple.hpp>

namespace cubind {

#if defined(__cpp_exceptions)

/// Returns the values of a result without its status: nothing, the only value, or a std::tuple of the values. Throws Error if the
/// status is not success. Requires the strings header of the library, such as <cubind/driver/strings.hpp>.
///
///     CUdeviceptr memory = check(driver::cuMemAlloc(64));
///     auto [free, total] = check(driver::cuMemGetInfo());
template <class Status, class... Values>
auto check(const Result<Status, Values...>& result) {
    if (!result.ok()) [[unlikely]] {
        const Status status = result.status;
        detail::throw_error(library_name(status), static_cast<int>(status), to_string(status), describe(status));
    }
    if constexpr (sizeof...(Values) == 1) {
        return result.value;
    } else if constexpr (sizeof...(Values) > 1) {
        return cubind::apply([](const Status&, const Values&... values) { return std::tuple<Values...>(values...); }, result);
    }
}

#endif

}  // namespace cubind

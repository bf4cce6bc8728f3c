// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/error.hpp>
#include <cubind/tuple.hpp>

namespace CUBIND_NAMESPACE {

#if defined(__cpp_exceptions)

namespace detail {

template <class Status, class... Values>
auto checked_values(const Result<Status, Values...>& result, bool is_latest_call) {
    if (!result.ok()) [[unlikely]] {
        const Status status = result.status;
        throw_error(library_name(status), StatusTraits<Status>::code(status), to_string(status), describe(status),
                    is_latest_call);
    }
    if constexpr (sizeof...(Values) == 1) {
        return result.value;
    } else if constexpr (sizeof...(Values) > 1) {
        return cubind::apply([](const Status&, const Values&... values) { return std::tuple<Values...>(values...); }, result);
    }
}

/// Checks a stored result, which must be the result of the calling thread's latest call. The Error names the function.
template <class Status, class... Values>
auto check_latest(const Result<Status, Values...>& result) {
    return checked_values(result, true);
}

}  // namespace detail

/// Returns the values of a result without its status: nothing, the only value, or a std::tuple of the values. Throws Error if the
/// status is not success. Requires the status header of the library, such as <cubind/driver/status.hpp>.
///
///     CUdeviceptr memory = check(driver::cuMemAlloc(64));
///     auto [free, total] = check(driver::cuMemGetInfo());
///
/// The Error names the function that returned the result.
template <class Status, class... Values>
auto check(const Result<Status, Values...>&& result) {
    return detail::checked_values(result, true);
}

/// Checks a stored result and returns its values like the overload above. Other calls may have failed since then, so
/// Error::function() is empty: a result has no room for the function without cost for each success. The message names the
/// functions that have returned the status lately on this thread. If that is one, which has failed last, it states details, such
/// as the release that has the function and the remedy.
template <class Status, class... Values>
auto check(const Result<Status, Values...>& result) {
    return detail::checked_values(result, false);
}

#endif

}  // namespace CUBIND_NAMESPACE

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/check.hpp>
#include <cubind/nvml/status.hpp>

#include <cstring>
#include <string>

namespace CUBIND_NAMESPACE::system::detail {

/// Throws Error for a status of the calling thread's latest call, with advice where the status has a remedy.
[[noreturn]] void throw_with_advice(nvml::nvmlReturn_t status);

/// Returns the values of a result like check(), and adds advice to errors.
template <class... Values>
auto checked(const Result<nvml::nvmlReturn_t, Values...>&& result) {
    if (!result.ok()) throw_with_advice(result.status);
    return cubind::detail::checked_values(result, true);
}

/// Returns the count, which `function` has returned. Throws Error if it is greater than that of any machine, so that loops over a
/// damaged driver's objects end. `objects` names them in the message.
[[nodiscard]] unsigned int checked_count(unsigned int count, const char* function, const char* objects);

/// Returns the text that `query(buffer, size)` writes.
template <int size, class Query>
std::string text_of(Query query) {
    char buffer[size] = {};
    checked(query(buffer, static_cast<unsigned int>(size)));
    buffer[size - 1] = '\0';
    return buffer;
}

/// Returns the text in an array of a struct, which ends at its NUL or at the end of the array.
template <std::size_t size>
std::string text_in(const char (&array)[size]) {
    return {array, ::strnlen(array, size)};
}

/// Returns whether NVML's state of a switch is on.
inline bool is_on(nvml::nvmlEnableState_t state) noexcept {
    return state != nvml::NVML_FEATURE_DISABLED;
}

/// Returns NVML's state of a switch.
inline nvml::nvmlEnableState_t state_of(bool enabled) noexcept {
    return enabled ? nvml::NVML_FEATURE_ENABLED : nvml::NVML_FEATURE_DISABLED;
}

}  // namespace CUBIND_NAMESPACE::system::detail

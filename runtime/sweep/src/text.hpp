// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sweep/sweep_configuration.hpp>

#include <string>
#include <string_view>

/// Text of the outputs of sweeps, independent of the program's locale.
namespace CUBIND_NAMESPACE::profile::detail {

/// Returns the text as one line of UTF-8: control characters become the symbols of Unicode for them, and bytes that are not UTF-8
/// their Latin-1 characters.
[[nodiscard]] std::string visible(std::string_view text);
/// Returns the number with four significant digits, or all digits before the decimal point.
[[nodiscard]] std::string rounded(double number);

/// Returns a part as percent with two digits after the decimal point: "1.25 %".
[[nodiscard]] std::string percent(double part);

/// Returns a text that differs between configurations with the same parameters that differ.
[[nodiscard]] std::string key_of(const Configuration& configuration);

/// A unit for times.
struct TimeUnit {
    const char* name;
    double per_second;
};
/// Returns the unit in which a time has one to three digits before the decimal point.
[[nodiscard]] TimeUnit unit_of(double seconds) noexcept;
/// Returns a time with its unit: "12.35 us".
[[nodiscard]] std::string time_text(double seconds);

}  // namespace CUBIND_NAMESPACE::profile::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <string_view>
#include <type_traits>

namespace CUBIND_NAMESPACE::detail {

/// Returns the concatenation of the parts: strings, and numbers as decimals.
template <class... Parts>
std::string concat(std::string_view first, const Parts&... parts) {
    std::string text(first);
    const auto add = [&](const auto& part) {
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(part)>>) {
            text.append(std::to_string(part));
        } else {
            text.append(part);
        }
    };
    (add(parts), ...);
    return text;
}

/// Throws std::invalid_argument with the concatenation of the parts, for a mistake of the caller that was found without
/// calling the driver.
[[noreturn]] CUBIND_EXPORT void throw_misuse(std::string_view text);
template <class... Parts>
[[noreturn]] void throw_misuse(std::string_view first, const Parts&... parts) {
    throw_misuse(std::string_view(concat(first, parts...)));
}

/// Throws std::invalid_argument if the text has a NUL: the operating system and NVIDIA's libraries read only what precedes it.
/// `what` names the text in the message.
void check_no_nul(std::string_view what, std::string_view text);

}  // namespace CUBIND_NAMESPACE::detail

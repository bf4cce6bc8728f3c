// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

/// Parsing of numbers in programs and environment variables.
namespace CUBIND_NAMESPACE::sim {

/// Parses a number that spans the whole text.
template <class Number>
std::optional<Number> read_number(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

/// Parses a version such as "12.4" to 12 and 4. Neither number is negative; the first is less than 1000, the second
/// less than 100.
inline std::optional<std::pair<int, int>> read_version(std::string_view text) {
    const std::size_t dot = text.find('.');
    if (dot == text.npos) return std::nullopt;
    const auto major = read_number<int>(text.substr(0, dot));
    const auto minor = read_number<int>(text.substr(dot + 1));
    const bool is_version = major && minor && *major >= 0 && *major < 1000 && *minor >= 0 && *minor < 100;
    return is_version ? std::optional(std::pair(*major, *minor)) : std::nullopt;
}

}  // namespace CUBIND_NAMESPACE::sim

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <utility>

namespace CUBIND_NAMESPACE::detail {

/// Returns a compiler's or linker's log without the trailing NULs, newlines and spaces.
std::string trim_log(std::string log);

/// Reads the log of a compiler or linker with the functions that return its size and its text. Returns "" for a null handle, and
/// if the log cannot be read.
template <class Handle, class GetSize, class GetText>
std::string read_log(Handle handle, GetSize get_size, GetText get_text) {
    if (handle == nullptr) return {};
    const auto size = get_size(handle);
    if (!size.ok() || size.value == 0) return {};
    std::string text(size.value, '\0');
    return get_text(handle, text.data()).ok() ? trim_log(std::move(text)) : std::string();
}

/// Returns the first line of the log that contains "error" or "ERROR", or else the first line.
std::string first_error(const std::string& log);

}  // namespace CUBIND_NAMESPACE::detail

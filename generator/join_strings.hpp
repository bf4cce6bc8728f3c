// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace cubind::gen {

inline const std::string& text_of(const std::string& item) {
    return item;
}
inline std::string text_of(const std::filesystem::path& item) {
    return item.string();
}

/// Joins the items of a list, for messages.
template <class List>
std::string join_strings(const List& items, const std::string& separator = ", ") {
    std::string text;
    for (const auto& item : items) text += (text.empty() ? "" : separator) + text_of(item);
    return text;
}

}  // namespace cubind::gen

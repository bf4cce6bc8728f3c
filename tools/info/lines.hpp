// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cubind::info {

/// Text in two columns, of labels and of values that are broken between words.
class Lines {
public:
    /// A line at the margin, after an empty one unless it is the first.
    void heading(std::string_view text);
    /// A label with its value, or a further line under it for an empty label.
    void row(std::string_view label, std::string_view value);
    /// A point of a list.
    void point(std::string_view text);

    const std::string& text() const { return text_; }

private:
    void broken(std::string_view text, std::size_t column);

    std::string text_;
};

/// "a, b, c".
std::string joined(const std::vector<std::string>& words);

}  // namespace cubind::info

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cubind::info {

/// Text with a column of labels and a column of values. Values are wrapped between words.
class Lines {
public:
    /// Adds a heading, preceded by an empty line unless it is the first line.
    void add_heading(std::string_view text);
    /// Adds a label with its value. A row with an empty label continues the previous value.
    void add_row(std::string_view label, std::string_view value);
    /// Adds an item of a list.
    void add_item(std::string_view text);

    /// Returns the text.
    const std::string& text() const { return text_; }

private:
    void append_wrapped(std::string_view text, std::size_t column);

    std::string text_;
};

/// Joins the words with commas: "a, b, c".
std::string join_strings(const std::vector<std::string>& words);

}  // namespace cubind::info

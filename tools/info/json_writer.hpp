// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace cubind::info {

/// Writes one JSON value, indented, piece by piece. The caller nests rightly: in an object each value follows its key:
/// `json.key("count").number(3)`.
class JsonWriter {
public:
    void begin_object() { begin('{'); }
    void end_object() { end('}'); }
    void begin_array() { begin('['); }
    void end_array() { end(']'); }
    JsonWriter& key(std::string_view name);

    /// Bytes that are no UTF-8 become U+FFFD, since JSON must be.
    void string(std::string_view text);
    /// null for an empty text.
    void string_or_null(std::string_view text);
    void number(int value);
    void boolean(bool value);
    void null();

    /// What has been written.
    const std::string& text() const { return text_; }

private:
    void begin(char bracket);
    void end(char bracket);
    void value(std::string_view text);
    void separate();
    void new_line();

    std::string text_;
    int depth_ = 0;
    bool is_first_ = true;   ///< nothing stands in the innermost object or array yet
    bool after_key_ = false;
};

}  // namespace cubind::info

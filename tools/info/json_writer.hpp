// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace cubind::info {

/// Writes one JSON value with indentation. The caller must nest the calls correctly. In an object, each value follows its key:
/// `json.key("count").number(3)`.
class JsonWriter {
public:
    /// Begins an object.
    void begin_object() { begin('{'); }
    /// Ends an object.
    void end_object() { end('}'); }
    /// Begins an array.
    void begin_array() { begin('['); }
    /// Ends an array.
    void end_array() { end(']'); }
    /// Writes the key of the next value.
    JsonWriter& key(std::string_view name);

    /// Writes a string. Bytes that are not UTF-8 are replaced by U+FFFD, because JSON is UTF-8.
    void string(std::string_view text);
    /// Writes a string, or null for an empty text.
    void string_or_null(std::string_view text);
    /// Writes a number.
    void number(int value);
    /// Writes true or false.
    void boolean(bool value);
    /// Writes null.
    void null();

    /// Returns the JSON text.
    const std::string& text() const { return text_; }

private:
    void begin(char bracket);
    void end(char bracket);
    void value(std::string_view text);
    void separate();
    void new_line();

    std::string text_;
    int depth_ = 0;
    bool is_first_ = true;  ///< whether the innermost object or array is empty
    bool after_key_ = false;
};

}  // namespace cubind::info

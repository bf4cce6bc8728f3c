// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::gen::model {

enum class Direction { in, out, inout };

/// The kind of memory that a pointer parameter points to.
enum class Shape {
    value,    ///< one object
    array,    ///< `length` objects
    buffer,   ///< `length` bytes
    string,   ///< NUL-terminated text, in `length` bytes if `length` is stated
    opaque,   ///< memory whose size the signature does not state
    callback  ///< a function
};

/// A decision about one pointer parameter, written "direction shape [optional]" in overrides.json.
struct Annotation {
    Direction direction = Direction::in;
    Shape shape = Shape::value;
    std::string length;     ///< a parameter's name, a number, or a product "a*b"; empty if the shape has none
    bool optional = false;  ///< whether null may be passed

    bool writes() const { return direction != Direction::in; }
    bool operator==(const Annotation&) const = default;
};

/// Parses a text such as "in array(count) optional". Throws InputError with `place` and the grammar.
Annotation parse_annotation(const std::string& text, const std::string& place);

/// Returns the text that parse_annotation reads.
std::string to_text(const Annotation& annotation);
std::string to_text(Direction direction);
std::string to_text(Shape shape);

}  // namespace cubind::gen::model

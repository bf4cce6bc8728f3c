// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/annotation.hpp"

#include <array>
#include <sstream>
#include <utility>

#include "error.hpp"

namespace cubind::gen::model {
namespace {

constexpr std::array<std::pair<const char*, Direction>, 3> directions = {
    {{"in", Direction::in}, {"out", Direction::out}, {"inout", Direction::inout}}};

constexpr std::array<std::pair<const char*, Shape>, 6> shapes = {{{"value", Shape::value},
                                                                  {"array", Shape::array},
                                                                  {"buffer", Shape::buffer},
                                                                  {"string", Shape::string},
                                                                  {"opaque", Shape::opaque},
                                                                  {"callback", Shape::callback}}};

template <class Table, class Value>
bool look_up(const Table& table, const std::string& word, Value& value) {
    for (const auto& [name, entry] : table) {
        if (word == name) {
            value = entry;
            return true;
        }
    }
    return false;
}

template <class Table, class Value>
std::string name_of(const Table& table, Value value) {
    for (const auto& [name, entry] : table) {
        if (value == entry) return name;
    }
    return {};
}

}  // namespace

Annotation parse_annotation(const std::string& text, const std::string& place) {
    const auto fail = [&](const std::string& why) -> void {
        throw InputError(place + ": \"" + text + "\" " + why +
                         ". Write \"DIRECTION SHAPE [optional]\". DIRECTION is in, out or inout. SHAPE is value, array(count), "
                         "buffer(bytes), string, string(capacity), opaque or callback.");
    };
    if (text.find('|') != std::string::npos)
        fail("still offers a choice; read the vendor's documentation and leave only one side of the |");
    std::istringstream words(text);
    std::string direction, shape, optional, rest;
    words >> direction >> shape >> optional >> rest;

    Annotation annotation;
    if (!look_up(directions, direction, annotation.direction)) fail("has no direction");
    if (const std::size_t open = shape.find('('); open != std::string::npos) {
        if (!shape.ends_with(')')) fail("lacks a closing parenthesis");
        annotation.length = shape.substr(open + 1, shape.size() - open - 2);
        if (annotation.length.empty()) fail("has an empty length");
        shape.resize(open);
    }
    if (!look_up(shapes, shape, annotation.shape)) fail("has no shape");
    const bool needs_length = annotation.shape == Shape::array || annotation.shape == Shape::buffer;
    if (needs_length && annotation.length.empty()) fail("has no length");
    if (!needs_length && annotation.shape != Shape::string && !annotation.length.empty()) {
        fail("has a length, which its shape does not allow");
    }
    annotation.optional = optional == "optional";
    if ((!optional.empty() && !annotation.optional) || !rest.empty()) fail("has too many words");
    return annotation;
}

std::string to_text(Direction direction) {
    return name_of(directions, direction);
}
std::string to_text(Shape shape) {
    return name_of(shapes, shape);
}

std::string to_text(const Annotation& annotation) {
    return to_text(annotation.direction) + " " + to_text(annotation.shape) +
           (annotation.length.empty() ? "" : "(" + annotation.length + ")") + (annotation.optional ? " optional" : "");
}

}  // namespace cubind::gen::model

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/type_text.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace cubind::gen::extract {
namespace {

/// Returns whether the elements of an array are constant, or the object if it is no array. libclang has the const of an array's
/// type at the array or at its elements.
bool is_constant(clang::Type type) {
    for (type = type.canonical(); type.is_array() && !type.is_const();) type = type.array_element();
    return type.is_const();
}

}  // namespace

std::string type_text(const clang::Type& type) {
    std::string text = type.spelling();
    for (const std::string keyword : {"struct ", "union ", "enum "}) {
        for (std::size_t at = text.find(keyword); at != std::string::npos; at = text.find(keyword, at)) {
            const bool whole_word = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(' || text[at - 1] == ',';
            if (whole_word) {
                text.erase(at, keyword.size());
            } else {
                at += keyword.size();
            }
        }
    }
    return text;
}

std::string constant_type_text(const clang::Type& type) {
    const clang::Cursor declaration = type.canonical().declaration();
    if (declaration.kind() != CXCursor_EnumDecl || !declaration.is_unnamed()) return type_text(type.canonical());
    const clang::Type underlying = declaration.enum_integer_type().canonical();
    const bool is_unsigned = type_text(underlying).starts_with("unsigned");
    const std::vector<clang::Cursor> enumerators = declaration.children();
    // C++ converts such an enumerator to int wherever int can hold the values.
    const bool fits = std::all_of(enumerators.begin(), enumerators.end(), [&](const clang::Cursor& each) {
        if (each.kind() != CXCursor_EnumConstantDecl) return true;
        const std::int64_t value = each.enumerator_value(is_unsigned);
        return std::in_range<int>(value) && !(is_unsigned && value < 0);
    });
    return fits ? "int" : type_text(underlying);
}

spec::Parameter describe_parameter(const clang::Cursor& cursor) {
    spec::Parameter parameter;
    parameter.name = cursor.spelling();
    clang::Type type = cursor.type();
    parameter.type = type_text(type);
    if (!type.canonical().is_array()) return parameter;
    while (!type.is_array()) type = type.declaration().underlying_type();
    const clang::Type element = type.array_element();
    std::string text = type_text(element);
    if (text.find('(') != std::string::npos) return parameter;
    // The const of a typedef's array belongs to its elements.
    if (is_constant(cursor.type()) && !is_constant(element)) text.ends_with('*') ? text += "const" : text.insert(0, "const ");
    const std::size_t extents = text.find('[');
    if (extents != std::string::npos) {
        text.insert(extents, " (*)");
    } else {
        text += text.ends_with('*') ? "*" : " *";
    }
    parameter.type = text;
    if (type.kind() == CXType_ConstantArray) parameter.extent = type.size() / element.size();
    return parameter;
}

}  // namespace cubind::gen::extract

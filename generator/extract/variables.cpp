// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/variables.hpp"

#include <string_view>

#include "extract/type_text.hpp"

namespace cubind::gen::extract {
namespace {

bool is_constant(const clang::Cursor& cursor) {
    return cursor.kind() == CXCursor_VarDecl && cursor.type().is_const() && !cursor.spelling().starts_with('_');
}

/// Returns the text of a constant type without its own const.
std::string without_const(std::string text) {
    // The const of a pointer is behind the *, that of any other type before the name.
    constexpr std::string_view before = "const ", behind = "const";
    if (text.ends_with("*const")) {
        text.erase(text.size() - behind.size());
    } else if (text.starts_with(before)) {
        text.erase(0, before.size());
    }
    return text;
}

template <class Entry>
Entry entry_of(const clang::Cursor& cursor, const std::string& header, const std::string& release) {
    Entry entry;
    entry.name = cursor.spelling();
    entry.header = header;
    entry.since = release;
    return entry;
}

}  // namespace

std::optional<spec::Constant> constant_variable(const clang::Cursor& cursor, const std::string& header,
                                                const std::string& release) {
    if (!is_constant(cursor)) return std::nullopt;
    const CXTypeKind kind = cursor.type().canonical().kind();
    const bool is_number = (kind >= CXType_Bool && kind <= CXType_Int128) || kind == CXType_Enum;
    const auto value = is_number ? cursor.integer_value() : std::nullopt;
    if (!value) return std::nullopt;
    auto constant = entry_of<spec::Constant>(cursor, header, release);
    constant.type = without_const(constant_type_text(cursor.type()));
    constant.value = *value;
    return constant;
}

std::optional<spec::Variable> exported_variable(const clang::Cursor& cursor, const std::string& header,
                                                const std::string& release) {
    if (!is_constant(cursor) || !cursor.is_extern() || cursor.is_definition() || cursor.type().canonical().is_array()) {
        return std::nullopt;
    }
    auto variable = entry_of<spec::Variable>(cursor, header, release);
    variable.type = without_const(type_text(cursor.type()));
    return variable;
}

}  // namespace cubind::gen::extract

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/constant_variables.hpp"

#include <string_view>

#include "extract/type_text.hpp"

namespace cubind::gen::extract {

std::optional<spec::Constant> constant_variable(const clang::Cursor& cursor, const std::string& header,
                                                const std::string& release) {
    if (cursor.kind() != CXCursor_VarDecl || !cursor.type().is_const()) return std::nullopt;
    const CXTypeKind kind = cursor.type().canonical().kind();
    const bool is_number = (kind >= CXType_Bool && kind <= CXType_Int128) || kind == CXType_Enum;
    const std::string name = cursor.spelling();
    const auto value = is_number && !name.starts_with('_') ? cursor.integer_value() : std::nullopt;
    if (!value) return std::nullopt;
    constexpr std::string_view qualifier = "const ";
    spec::Constant constant;
    constant.name = name;
    constant.header = header;
    constant.since = release;
    constant.type = type_text(cursor.type().canonical());
    if (constant.type.starts_with(qualifier)) constant.type.erase(0, qualifier.size());
    constant.value = *value;
    return constant;
}

}  // namespace cubind::gen::extract

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "clang/cursor.hpp"

#include <algorithm>

namespace cubind::gen::clang {

std::string to_string(CXString text) {
    const char* characters = clang_getCString(text);
    std::string copy = characters != nullptr ? characters : "";
    clang_disposeString(text);
    return copy;
}

bool names_unnamed(std::string_view text) {
    // The word differs between libclang releases.
    return text.find("(unnamed") != std::string_view::npos || text.find("(anonymous") != std::string_view::npos;
}

namespace {

Place place_of(CXSourceLocation location) {
    Place place;
    clang_getExpansionLocation(location, &place.file, &place.line, &place.column, &place.offset);
    return place;
}

}  // namespace

std::string path_of(CXFile file) {
    return file != nullptr ? to_string(clang_getFileName(file)) : std::string();
}

Cursor Type::declaration() const {
    return Cursor(clang_getTypeDeclaration(type_));
}

Type Type::desugared() const {
    if (kind() == CXType_Typedef) return declaration().underlying_type();
    if (kind() == CXType_Elaborated) return Type(clang_Type_getNamedType(type_));
    return *this;
}

std::vector<Type> Type::template_types() const {
    std::vector<Type> found;
    const int count = clang_Type_getNumTemplateArguments(type_);
    for (int index = 0; index < count; ++index) {
        const CXType argument = clang_Type_getTemplateArgumentAsType(type_, static_cast<unsigned>(index));
        if (argument.kind != CXType_Invalid) found.emplace_back(argument);
    }
    return found;
}

bool Type::is_function() const {
    const CXTypeKind kind = canonical().kind();
    return kind == CXType_FunctionProto || kind == CXType_FunctionNoProto;
}

std::vector<Cursor> Type::fields() const {
    std::vector<Cursor> found;
    clang_Type_visitFields(
        type_,
        [](CXCursor field, CXClientData data) {
            static_cast<std::vector<Cursor>*>(data)->emplace_back(field);
            return CXVisit_Continue;
        },
        &found);
    return found;
}

std::vector<Type> Type::arguments() const {
    std::vector<Type> found;
    const int count = clang_getNumArgTypes(type_);
    for (int index = 0; index < count; ++index) {
        found.emplace_back(clang_getArgType(type_, static_cast<unsigned>(index)));
    }
    return found;
}

bool Cursor::is_anonymous_record() const {
    if (kind() != CXCursor_StructDecl && kind() != CXCursor_UnionDecl) return false;
    // A struct without a tag counts as named if a typedef names it. For such structs, the results of clang_Cursor_isAnonymous
    // differ between libclang releases.
    const std::string name = type().spelling();
    return name.find('(') != std::string::npos;
}

bool Cursor::is_nested_record() const {
    return (kind() == CXCursor_StructDecl || kind() == CXCursor_UnionDecl) && is_in_record();
}

bool Cursor::is_in_record() const {
    const CXCursorKind parent = clang_getCursorKind(clang_getCursorSemanticParent(cursor_));
    return parent == CXCursor_StructDecl || parent == CXCursor_UnionDecl;
}

bool Cursor::is_class() const {
    const std::vector<Cursor> members = children();
    return std::any_of(members.begin(), members.end(), [](const Cursor& member) {
        switch (member.kind()) {
            case CXCursor_FieldDecl:
                return member.is_private();
            case CXCursor_CXXBaseSpecifier:
            case CXCursor_CXXMethod:
            case CXCursor_Constructor:
            case CXCursor_Destructor:
            case CXCursor_ConversionFunction:
            case CXCursor_FunctionTemplate:
                return true;
            default:
                return false;
        }
    });
}

bool Cursor::has_own_copy_or_destructor() const {
    const std::vector<Cursor> members = children();
    return std::any_of(members.begin(), members.end(), [](const Cursor& member) {
        const bool is_copy = clang_CXXConstructor_isCopyConstructor(member.cursor_) != 0 ||
                             clang_CXXConstructor_isMoveConstructor(member.cursor_) != 0;
        return (is_copy || member.kind() == CXCursor_Destructor) && clang_CXXMethod_isDefaulted(member.cursor_) == 0;
    });
}

std::vector<Cursor> Cursor::children() const {
    std::vector<Cursor> found;
    for_each_child(cursor_, [&](Cursor child) { found.push_back(child); });
    return found;
}

std::vector<Cursor> Cursor::parameters() const {
    std::vector<Cursor> found;
    for_each_child(cursor_, [&](Cursor child) {
        if (child.kind() == CXCursor_ParmDecl) found.push_back(child);
    });
    return found;
}

std::vector<TemplateArgument> Cursor::template_arguments() const {
    std::vector<TemplateArgument> found;
    const int count = clang_Cursor_getNumTemplateArguments(cursor_);
    for (unsigned index = 0; index < static_cast<unsigned>(std::max(count, 0)); ++index) {
        found.push_back({clang_Cursor_getTemplateArgumentKind(cursor_, index),
                         Type(clang_Cursor_getTemplateArgumentType(cursor_, index)),
                         clang_Cursor_getTemplateArgumentValue(cursor_, index)});
    }
    return found;
}

std::vector<std::string> Cursor::annotations() const {
    std::vector<std::string> found;
    for_each_child(cursor_, [&](Cursor child) {
        if (child.kind() == CXCursor_AnnotateAttr) found.push_back(child.spelling());
    });
    return found;
}

std::optional<double> Cursor::floating_value() const {
    CXEvalResult result = clang_Cursor_Evaluate(cursor_);
    if (result == nullptr) return std::nullopt;
    std::optional<double> value;
    if (clang_EvalResult_getKind(result) == CXEval_Float) value = clang_EvalResult_getAsDouble(result);
    clang_EvalResult_dispose(result);
    return value;
}

Place Cursor::place() const {
    return place_of(clang_getCursorLocation(cursor_));
}

Place Cursor::start() const {
    return place_of(clang_getRangeStart(clang_getCursorExtent(cursor_)));
}

Place Cursor::end() const {
    return place_of(clang_getRangeEnd(clang_getCursorExtent(cursor_)));
}

std::optional<std::int64_t> Cursor::integer_value() const {
    CXEvalResult result = clang_Cursor_Evaluate(cursor_);
    if (result == nullptr) return std::nullopt;
    std::optional<std::int64_t> value;
    if (clang_EvalResult_getKind(result) == CXEval_Int) {
        value = clang_EvalResult_isUnsignedInt(result) != 0 ? static_cast<std::int64_t>(clang_EvalResult_getAsUnsigned(result))
                                                            : clang_EvalResult_getAsLongLong(result);
    }
    clang_EvalResult_dispose(result);
    return value;
}

CXFile Cursor::file() const {
    CXFile file = nullptr;
    clang_getExpansionLocation(clang_getCursorLocation(cursor_), &file, nullptr, nullptr, nullptr);
    return file;
}

unsigned Cursor::line() const {
    unsigned line = 0;
    clang_getExpansionLocation(clang_getCursorLocation(cursor_), nullptr, &line, nullptr, nullptr);
    return line;
}

unsigned Cursor::start_line() const {
    unsigned line = 0;
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(cursor_)), nullptr, &line, nullptr, nullptr);
    return line;
}

std::string Cursor::written_name() const {
    CXTranslationUnit unit = clang_Cursor_getTranslationUnit(cursor_);
    CXFile file = nullptr;
    unsigned offset = 0;
    clang_getExpansionLocation(clang_getCursorLocation(cursor_), &file, nullptr, nullptr, &offset);
    if (file == nullptr) return spelling();
    // If the declaration begins where its name is, then one macro contains all of it, and the token is the macro's name.
    unsigned start = 0;
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(cursor_)), nullptr, nullptr, nullptr, &start);
    if (start == offset) return spelling();
    CXToken* token = clang_getToken(unit, clang_getLocationForOffset(unit, file, offset));
    if (token == nullptr) return spelling();
    std::string text = to_string(clang_getTokenSpelling(unit, *token));
    clang_disposeTokens(unit, token, 1);
    return text;
}

}  // namespace cubind::gen::clang

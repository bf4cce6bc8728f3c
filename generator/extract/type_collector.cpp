// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/type_collector.hpp"

#include <algorithm>

#include "error.hpp"
#include "extract/type_text.hpp"
#include "spec/standard_types.hpp"

namespace cubind::gen::extract {
namespace {

bool is_record(const clang::Cursor& cursor) {
    return cursor.kind() == CXCursor_StructDecl || cursor.kind() == CXCursor_UnionDecl;
}

/// Returns whether `type` is a pointer to a struct or union that no header defines.
bool points_to_undefined_record(const clang::Type& type) {
    if (type.canonical().kind() != CXType_Pointer) return false;
    const clang::Cursor declaration = type.canonical().pointee().declaration();
    return is_record(declaration) && declaration.definition().is_null();
}

}  // namespace

TypeCollector::TypeCollector(spec::Facts& facts, SourceFiles& files, std::string release, Comments* comments)
    : facts_(facts), files_(files), release_(std::move(release)), comments_(comments) {}

template <class Entry>
Entry TypeCollector::entry(const std::string& name, const clang::Cursor& declaration) {
    Entry fresh;
    fresh.name = name;
    fresh.header = files_.of(declaration).name;
    fresh.since = release_;
    fresh.view = view_;
    return fresh;
}

void TypeCollector::collect(const clang::Cursor& declaration) {
    switch (declaration.kind()) {
        case CXCursor_TypedefDecl:
            return collect_typedef(declaration);
        case CXCursor_EnumDecl:
            return collect_enum(declaration);
        case CXCursor_StructDecl:
        case CXCursor_UnionDecl:
            return collect_record(declaration);
        default:
            return;
    }
}

void TypeCollector::collect_types_in(const clang::Type& type) {
    if (type.is_array()) return collect_types_in(type.array_element());
    if (type.kind() == CXType_Pointer) return collect_types_in(type.pointee());
    if (type.kind() == CXType_FunctionProto) {
        collect_types_in(type.result());
        for (const auto& argument : type.arguments()) collect_types_in(argument);
        return;
    }
    const clang::Cursor declaration = type.declaration();
    if (declaration.kind() != CXCursor_NoDeclFound) collect(declaration);
}

void TypeCollector::collect_typedef(const clang::Cursor& declaration) {
    const std::string name = declaration.spelling();
    if (spec::is_standard_type(name) || name.starts_with("__") || !seen_.insert(name).second) return;
    const clang::Type type = declaration.underlying_type();
    if (type.canonical().is_function()) {
        throw InputError(files_.place(declaration) + ": " + name +
                         " names a function type, which the specs do not support; only pointers to functions are supported");
    }
    if (points_to_undefined_record(type) && type.kind() == CXType_Pointer && !type.spelling().starts_with("const")) {
        auto handle = entry<spec::Handle>(name, declaration);
        handle.tag = type.pointee().declaration().spelling();
        facts_.handles.push_back(std::move(handle));
    } else if (type.kind() == CXType_Pointer && type.pointee().is_function()) {
        auto callback = entry<spec::Callback>(name, declaration);
        callback.returns = type_text(type.pointee().result());
        callback.parameters = describe_parameters(declaration.parameters());
        collect_types_in(type.pointee().result());
        facts_.callbacks.push_back(std::move(callback));
    } else {
        collect_types_in(type);
        const std::string text = type_text(type);
        if (text == name) {
            seen_.erase(name);
            collect(type.declaration());
            return;
        }
        auto alias = entry<spec::Alias>(name, declaration);
        alias.type = text;
        facts_.aliases.push_back(std::move(alias));
    }
}

void TypeCollector::collect_enum(const clang::Cursor& declaration) {
    if (!declaration.is_definition()) return;
    const std::string name = type_text(declaration.type());
    if (!seen_.insert(name).second) return;
    auto value = entry<spec::Enum>(name, declaration);
    value.underlying = type_text(declaration.enum_integer_type());
    const bool is_unsigned = value.underlying.starts_with("unsigned");
    for (const auto& child : declaration.children()) {
        if (child.kind() != CXCursor_EnumConstantDecl) continue;
        spec::Enumerator enumerator;
        enumerator.name = child.spelling();
        enumerator.value = is_unsigned ? static_cast<std::int64_t>(child.unsigned_enumerator_value()) : child.enumerator_value();
        enumerator.since = release_;
        const HeaderText* const text = comments_ != nullptr ? files_.of(child).text : nullptr;
        if (text != nullptr) (*comments_)[enumerator.name] = comment_lines(comment_of_enumerator(*text, child.start_line()));
        value.enumerators.push_back(std::move(enumerator));
    }
    facts_.enums.push_back(std::move(value));
}

void TypeCollector::collect_record(const clang::Cursor& declaration) {
    if (declaration.is_nested_record()) return;
    const clang::Cursor definition = declaration.definition();
    if (definition.is_null()) return;
    const std::string name = type_text(declaration.type());
    if (!seen_.insert(name).second) return;
    spec::Record record;
    static_cast<spec::RecordBody&>(record) = describe_record(definition);
    record.name = name;
    record.header = files_.of(definition).name;
    record.since = release_;
    record.view = view_;
    facts_.records.push_back(std::move(record));
}

spec::RecordBody TypeCollector::describe_record(const clang::Cursor& declaration) {
    spec::RecordBody record;
    record.is_union = declaration.kind() == CXCursor_UnionDecl;
    record.size = declaration.type().size();
    record.alignment = declaration.type().alignment();
    for (const auto& field : declaration.type().fields()) {
        record.fields.push_back(describe_field(field, declaration.spelling()));
    }
    check_layout(record, declaration);
    return record;
}

void TypeCollector::check_layout(const spec::RecordBody& record, const clang::Cursor& declaration) const {
    const auto fail = [&](const clang::Cursor& place, const std::string& what) {
        throw InputError(files_.place(place) + ": " + what +
                         ". An attribute probably changed the layout, which the specs do not support.");
    };
    const auto round_up = [](std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; };
    const std::vector<clang::Cursor> fields = declaration.type().fields();
    std::int64_t end = 0;
    for (const auto& field : fields) {
        if (record.alignment < field.type().alignment()) {
            fail(declaration, declaration.spelling() + " is aligned to " + std::to_string(record.alignment) +
                                  " bytes, less than one of its fields");
        }
    }
    for (const auto& field : fields) {
        const std::int64_t expected = record.is_union ? 0 : round_up(end, field.type().alignment());
        if (field.field_offset_bytes() != expected) {
            fail(field, declaration.spelling() + "::" + field.spelling() + " is at byte " +
                            std::to_string(field.field_offset_bytes()) + " instead of " + std::to_string(expected));
        }
        end = std::max(end, expected + field.type().size());
    }
    if (record.size != std::max<std::int64_t>(round_up(end, record.alignment), 1)) {
        fail(declaration, declaration.spelling() + " is " + std::to_string(record.size) + " bytes instead of " +
                              std::to_string(round_up(end, record.alignment)));
    }
}

spec::Field TypeCollector::describe_field(const clang::Cursor& cursor, const std::string& record) {
    if (cursor.is_bit_field()) {
        throw InputError(files_.place(cursor) + ": " + record + "::" + cursor.spelling() +
                         " is a bit-field, which the specs do not support");
    }
    spec::Field field;
    field.name = cursor.spelling();
    field.offset = cursor.field_offset_bytes();
    clang::Type type = cursor.type();
    clang::Type element = type;
    while (element.is_array()) element = element.array_element();
    if (element.declaration().is_nested_record()) {
        for (; type.is_array(); type = type.array_element()) field.extents.push_back(type.size() / type.array_element().size());
    }
    const clang::Cursor declaration = type.declaration();
    if (declaration.is_nested_record()) {
        // Newer libclang releases report a synthetic name for an anonymous member.
        if (field.name.find('(') != std::string::npos) field.name.clear();
        spec::NestedRecord nested;
        static_cast<spec::RecordBody&>(nested) = describe_record(declaration);
        if (!declaration.is_anonymous_record()) nested.name = declaration.spelling();
        field.record = std::make_shared<const spec::NestedRecord>(std::move(nested));
    } else {
        collect_types_in(type);
        field.type = type_text(type);
    }
    return field;
}

std::vector<spec::Parameter> TypeCollector::describe_parameters(const std::vector<clang::Cursor>& parameters) {
    std::vector<spec::Parameter> found;
    for (const auto& parameter : parameters) {
        collect_types_in(parameter.type());
        found.push_back({parameter.spelling(), type_text(parameter.type()), "", ""});
    }
    return found;
}

}  // namespace cubind::gen::extract

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/type_collector.hpp"

#include <algorithm>

#include "error.hpp"
#include "extract/type_text.hpp"
#include "spec/field_places.hpp"
#include "spec/standard_types.hpp"
#include "spec/system_types.hpp"

namespace cubind::gen::extract {
namespace {

bool is_record(const clang::Cursor& cursor) {
    return cursor.kind() == CXCursor_StructDecl || cursor.kind() == CXCursor_UnionDecl || cursor.kind() == CXCursor_ClassDecl;
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
    // Only the variables that are declared with it can have a struct without a name, and they are not bound.
    if (is_record(declaration) && declaration.is_unnamed()) return;
    // A struct that is only forward-declared is added when a type mentions it.
    if (!is_record(declaration) || !declaration.definition().is_null()) collect_mentioned(declaration);
}

void TypeCollector::collect_mentioned(const clang::Cursor& declaration) {
    switch (declaration.kind()) {
        case CXCursor_TypedefDecl:
            return collect_typedef(declaration);
        case CXCursor_EnumDecl:
            return collect_enum(declaration);
        case CXCursor_StructDecl:
        case CXCursor_UnionDecl:
        case CXCursor_ClassDecl:
            return collect_record(declaration);
        default:
            return;
    }
}

void TypeCollector::collect_types_in(const clang::Type& type, Use use) {
    if (type.is_array()) return collect_types_in(type.array_element(), use);
    if (type.kind() == CXType_Pointer) return collect_types_in(type.pointee(), Use::by_pointer);
    if (type.kind() == CXType_FunctionProto) {
        collect_types_in(type.result(), use);
        for (const auto& argument : type.arguments()) collect_types_in(argument, use);
        return;
    }
    const clang::Cursor declaration = type.declaration();
    if (declaration.kind() == CXCursor_NoDeclFound) return;
    collect_mentioned(declaration);
    if (use == Use::by_value) require_layout(declaration);
}

void TypeCollector::require_layout(const clang::Cursor& declaration) {
    const std::string name = type_text(declaration.type());
    const auto opaque = opaque_records_.find(name);
    if (opaque != opaque_records_.end() && opaque->second.size == 0) {
        throw InputError(files_.place(declaration) + ": the headers use " + name +
                         " by value, but its definition is unknown or private to the C library. Pass the folder of the header "
                         "that defines it to --include. Only these structs of the system may be used by value: " +
                         spec::system_type_names() + ".");
    }
    if (declaration.kind() == CXCursor_TypedefDecl) return require_layout(declaration.underlying_type().declaration());
    if (opaque == opaque_records_.end() || opaque->second.is_system) return;
    const clang::Cursor definition = declaration.definition();
    if (definition.has_own_copy_or_destructor()) {
        throw InputError(files_.place(definition) + ": the headers use the class " + name +
                         " by value, but C cannot pass it, because it has its own copy constructor or destructor");
    }
    define_record(definition);
}

void TypeCollector::collect_typedef(const clang::Cursor& declaration) {
    const std::string name = declaration.spelling();
    if (spec::is_standard_type(name)) return;
    if (files_.is_of_system(declaration)) return collect_system_typedef(declaration);
    if (name.starts_with("__") || !seen_.insert(name).second) return;
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
        collect_types_in(type, Use::by_pointer);
        const std::string text = type_text(type);
        if (text == name) {
            seen_.erase(name);
            return collect_mentioned(type.declaration());
        }
        auto alias = entry<spec::Alias>(name, declaration);
        alias.type = text;
        facts_.aliases.push_back(std::move(alias));
    }
}

void TypeCollector::collect_system_typedef(const clang::Cursor& declaration) {
    const std::string name = declaration.spelling();
    const clang::Type type = declaration.underlying_type().canonical();
    if (spec::find_system_type(name) != nullptr || type_text(type) == name) {
        return collect_system_record(name, type.declaration());
    }
    if (!seen_.insert(name).second) return;
    collect_types_in(type, Use::by_pointer);
    auto alias = entry<spec::Alias>(name, declaration);
    alias.type = type_text(type);
    facts_.aliases.push_back(std::move(alias));
}

void TypeCollector::collect_enum(const clang::Cursor& declaration) {
    if (!declaration.is_definition()) return;
    if (declaration.is_unnamed()) return collect_constants(declaration);
    const std::string name = type_text(declaration.type());
    if (!seen_.insert(name).second) return;
    auto value = entry<spec::Enum>(name, declaration);
    value.underlying = type_text(declaration.enum_integer_type());
    const bool is_unsigned = value.underlying.starts_with("unsigned");
    for (const auto& child : declaration.children()) {
        if (child.kind() != CXCursor_EnumConstantDecl) continue;
        spec::Enumerator enumerator;
        enumerator.name = child.spelling();
        enumerator.value = child.enumerator_value(is_unsigned);
        enumerator.since = release_;
        const HeaderText* const text = comments_ != nullptr ? files_.of(child).text : nullptr;
        if (text != nullptr) (*comments_)[enumerator.name] = comment_lines(comment_of_enumerator(*text, child.start_line()));
        value.enumerators.push_back(std::move(enumerator));
    }
    facts_.enums.push_back(std::move(value));
}

void TypeCollector::collect_constants(const clang::Cursor& declaration) {
    const std::string type = constant_type_text(declaration.type());
    const bool is_unsigned = type_text(declaration.enum_integer_type()).starts_with("unsigned");
    // Constants have no view, and members of a struct are not in the scope of constants.
    if (!view_.empty() || declaration.is_in_record()) return;
    for (const auto& child : declaration.children()) {
        if (child.kind() != CXCursor_EnumConstantDecl || !constants_.insert(child.spelling()).second) continue;
        spec::Constant constant;
        constant.name = child.spelling();
        constant.header = files_.of(declaration).name;
        constant.since = release_;
        constant.type = type;
        constant.value = child.enumerator_value(is_unsigned);
        facts_.constants.push_back(std::move(constant));
    }
}

void TypeCollector::collect_record(const clang::Cursor& declaration) {
    if (declaration.is_nested_record()) return;
    const std::string name = type_text(declaration.type());
    if (files_.is_of_system(declaration)) return collect_system_record(name, declaration);
    const clang::Cursor definition = declaration.definition();
    if (definition.is_null() || definition.is_class()) return collect_opaque_record(declaration);
    define_record(definition);
}

void TypeCollector::define_record(const clang::Cursor& definition) {
    const std::string name = type_text(definition.type());
    if (!seen_.insert(name).second) return;
    opaque_records_.erase(name);
    spec::Record record;
    static_cast<spec::RecordBody&>(record) = describe_record(definition);
    record.name = name;
    record.header = files_.of(definition).name;
    record.since = release_;
    record.view = view_;
    facts_.records.push_back(std::move(record));
}

void TypeCollector::collect_opaque_record(const clang::Cursor& declaration) {
    const std::string name = type_text(declaration.type());
    if (seen_.contains(name)) return;
    auto record = entry<spec::OpaqueRecord>(name, declaration);
    record.is_union = declaration.kind() == CXCursor_UnionDecl;
    const clang::Cursor definition = declaration.definition();
    if (!definition.is_null()) {
        record.size = definition.type().size();
        record.alignment = definition.type().alignment();
    }
    opaque_records_.emplace(name, std::move(record));
}

void TypeCollector::collect_system_record(const std::string& name, const clang::Cursor& declaration) {
    const spec::SystemType* const known = spec::find_system_type(name);
    // Any other struct of the system is declared by its tag.
    if (known == nullptr) return collect_opaque_record(declaration);
    auto record = entry<spec::OpaqueRecord>(name, declaration);
    record.header = known->header;
    record.is_system = true;
    if (known->has_layout) {
        record.size = declaration.type().size();
        record.alignment = declaration.type().alignment();
    }
    opaque_records_.emplace(name, std::move(record));
}

void TypeCollector::finish() {
    for (const auto& handle : facts_.handles) opaque_records_.erase(handle.tag);
    for (auto& [name, record] : opaque_records_) facts_.opaque_records.push_back(std::move(record));
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
    spec::FieldPlaces places(record.is_union);
    for (const auto& field : fields) {
        const std::int64_t bits = field.is_bit_field() ? field.bit_width() : 0;
        // The type of an unnamed bit-field has no influence on the alignment.
        const bool is_padding = bits != 0 && field.spelling().empty();
        if (record.alignment < field.type().alignment() && !is_padding) {
            fail(declaration, declaration.spelling() + " is aligned to " + std::to_string(record.alignment) +
                                  " bytes, less than one of its fields");
        }
        const std::int64_t expected = places.place(field.type().size(), field.type().alignment(), bits);
        if (field.field_offset_bits() != expected) {
            fail(field, declaration.spelling() + "::" + field.spelling() + " is at bit " +
                            std::to_string(field.field_offset_bits()) + " instead of " + std::to_string(expected));
        }
    }
    const std::int64_t size = std::max<std::int64_t>(round_up(places.size(), record.alignment), 1);
    if (record.size != size) {
        fail(declaration,
             declaration.spelling() + " is " + std::to_string(record.size) + " bytes instead of " + std::to_string(size));
    }
}

spec::Field TypeCollector::describe_field(const clang::Cursor& cursor, const std::string& record) {
    spec::Field field;
    field.name = cursor.spelling();
    field.offset = cursor.field_offset_bits() / 8;
    field.is_private = cursor.is_private();
    if (cursor.is_bit_field()) {
        field.bits = cursor.bit_width();
        field.bit = cursor.field_offset_bits() % 8;
        if (field.bits == 0) {
            throw InputError(files_.place(cursor) + ": " + record +
                             " has a bit-field without a width (: 0), which the specs do not support");
        }
    }
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
        found.push_back(describe_parameter(parameter));
    }
    return found;
}

}  // namespace cubind::gen::extract

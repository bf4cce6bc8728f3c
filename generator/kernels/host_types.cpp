// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/host_types.hpp"

#include <algorithm>
#include <optional>

#include "error.hpp"
#include "join_strings.hpp"
#include "kernels/host_names.hpp"
#include "kernels/host_records.hpp"

namespace cubind::gen::kernels {
namespace {

/// Returns the spelling of a canonical type without const and volatile.
std::string plain_spelling(const clang::Type& type) {
    std::string text = type.spelling();
    for (const std::string word : {"const ", "volatile ", "const "}) {
        if (text.starts_with(word)) text.erase(0, word.size());
    }
    return text;
}

/// Returns the name in namespace std of a type of integers, if the declaration uses one.
std::optional<std::string> standard_name(clang::Type type) {
    static const std::set<std::string> names = {"size_t",  "ptrdiff_t", "int8_t",   "int16_t",  "int32_t",  "int64_t",
                                                "uint8_t", "uint16_t",  "uint32_t", "uint64_t", "intptr_t", "uintptr_t"};
    while (type.kind() == CXType_Typedef || type.kind() == CXType_Elaborated) {
        if (type.kind() == CXType_Typedef) {
            const std::string name = type.declaration().spelling();
            if (names.contains(name)) return "std::" + name;
        }
        type = type.desugared();
    }
    // libclang does not tell about a name that a using-declaration makes visible, but spells it.
    if (type.kind() == CXType_Unexposed) {
        const std::string spelling = plain_spelling(type);
        const std::size_t scope = spelling.rfind("::");
        const std::string name = scope == std::string::npos ? spelling : spelling.substr(scope + 2);
        if (names.contains(name)) return "std::" + name;
    }
    return std::nullopt;
}

/// Returns the type without the typedefs and keywords around it.
clang::Type without_names(clang::Type type) {
    while (type.kind() == CXType_Typedef || type.kind() == CXType_Elaborated) type = type.desugared();
    return type.kind() == CXType_Pointer || type.is_array() ? type : type.canonical();
}

bool is_number(CXTypeKind kind) {
    const bool is_unknown = kind == CXType_LongDouble || kind == CXType_Float128 || kind == CXType_Half || kind == CXType_Float16;
    return kind >= CXType_Bool && kind <= CXType_NullPtr && !is_unknown;
}

std::string without_unnamed_namespaces(std::string text) {
    const std::string unnamed = "(anonymous namespace)::";
    for (std::size_t at = text.find(unnamed); at != std::string::npos; at = text.find(unnamed)) text.erase(at, unnamed.size());
    return text;
}

/// Returns the position of the extents at the end of the text of an array's type, or its size if it is no array.
std::size_t extents_in(const std::string& text) {
    std::size_t at = text.size();
    while (at > 0 && text[at - 1] == ']') at = text.rfind('[', at - 1);
    return at;
}

std::string qualifiers(const clang::Type& type) {
    return std::string(type.is_const() ? "const " : "") + (type.is_volatile() ? "volatile " : "");
}

}  // namespace

std::string HostTypes::text(const clang::Type& type, const std::string& place, bool is_value) {
    const std::string before = qualifiers(type);
    if (const auto name = standard_name(type)) return before + *name;
    const clang::Type plain = without_names(type);
    switch (plain.kind()) {
        case CXType_Pointer: {
            const clang::Type pointee = plain.pointee();
            const std::string target = text(pointee, place, false);
            // A declarator around a name would be needed for a pointer to an array.
            std::string pointer = pointee.is_function()            ? "cubind::DeviceFunction<" + target + ">"
                                  : pointee.canonical().is_array() ? "std::add_pointer_t<" + target + ">"
                                                                   : target + "*";
            if (!before.empty()) (pointer += ' ') += before.substr(0, before.size() - 1);
            return pointer;
        }
        case CXType_ConstantArray:
        case CXType_IncompleteArray: {
            std::string element = text(plain.array_element(), place, is_value);
            // libclang has the const of an array at the array or at its elements.
            if (!before.empty() && !plain.array_element().is_const() && !element.ends_with('*')) element.insert(0, before);
            const std::size_t extents = extents_in(element);
            const std::string extent = plain.array_size() < 0 ? "" : std::to_string(plain.array_size());
            return element.substr(0, extents) + "[" + extent + "]" + element.substr(extents);
        }
        case CXType_FunctionProto: {
            std::vector<std::string> arguments;
            for (const auto& each : plain.arguments()) arguments.push_back(text(each, place, false));
            if (plain.is_variadic_function()) arguments.emplace_back("...");
            return text(plain.result(), place, false) + "(" + join_strings(arguments) + ")";
        }
        case CXType_LValueReference:
        case CXType_RValueReference:
            throw InputError(place +
                             " is a reference, but the device has no access to objects of the host; use a pointer or a value");
        case CXType_LongDouble:
            throw InputError(place + " is a long double, which has 8 bytes on the device and 16 on the host; use double");
        case CXType_Record:
        case CXType_Enum:
            return before + named_type(plain, place, is_value);
        case CXType_NullPtr:
            return before + "std::nullptr_t";
        case CXType_Void:
            return before + "void";
        default:
            break;
    }
    const std::string name = plain_spelling(plain);
    if (is_number(plain.kind()) || name == "char8_t") return before + name;
    throw InputError(place + " has the type " + name + ", which the host's compiler does not have; use another type");
}

bool HostTypes::is_in_header(const clang::Type& type) const {
    const CXFile file = type.declaration().file();
    return file != nullptr && files_.is_user(file) && !files_.is_main(file) &&
           !device_includes_.contains(files_.host_include(file));
}

bool HostTypes::is_known_to_host(const clang::Type& type) const {
    const clang::Type plain = type.canonical();
    if (plain.kind() == CXType_Pointer) return is_known_to_host(plain.pointee());
    if (plain.kind() != CXType_Record && plain.kind() != CXType_Enum) return true;
    if (!is_in_header(plain)) return false;
    const std::vector<clang::Type> arguments = plain.template_types();
    return std::all_of(arguments.begin(), arguments.end(), [&](const clang::Type& each) { return is_known_to_host(each); });
}

void HostTypes::use(const clang::Cursor& declaration) {
    if (declaration.is_null() || !used_.insert(declaration.usr()).second) return;
    use(declaration.specialized_template());
    // A class with an error has no fields that libclang lists by the type.
    for (const auto& member : declaration.children()) {
        if (member.kind() != CXCursor_FieldDecl && member.kind() != CXCursor_CXXBaseSpecifier) continue;
        clang::Type type = member.type().canonical();
        while (type.is_array()) type = type.array_element().canonical();
        if (type.kind() == CXType_Record) use(type.declaration());
    }
}

std::string HostTypes::named_type(const clang::Type& type, const std::string& place, bool is_value) {
    const clang::Cursor declaration = type.declaration();
    use(declaration);
    const std::string spelling = plain_spelling(type);
    if (clang::names_unnamed(without_unnamed_namespaces(spelling))) {
        throw InputError(place + " has a type without a name; give it a name");
    }
    if (is_value && type.kind() == CXType_Record) check_value(type, place + " has the type " + spelling);
    // The type of tensor maps has this name in all of CUDA's headers, and sources that NVRTC compiles declare it themselves.
    if ((spelling == "CUtensorMap" || spelling == "CUtensorMap_st") && type.size() == 128) return "cubind::driver::CUtensorMap";
    return is_known_to_host(type) ? header_type(type) : declared_type(type, place);
}

std::string HostTypes::header_type(const clang::Type& type) {
    const std::string& include = files_.host_include(type.declaration().file());
    auto& includes = result_.host_includes;
    if (std::find(includes.begin(), includes.end(), include) == includes.end()) includes.push_back(include);
    return "::" + plain_spelling(type);
}

std::string HostTypes::declared_type(const clang::Type& type, const std::string& place) {
    const clang::Cursor declaration = type.declaration();
    const std::string origin = plain_spelling(type);
    if (const auto known = declared_.find(origin); known != declared_.end()) return prefix_ + known->second;

    // The namespaces of CUDA's types would only make their names longer.
    const std::vector<std::string> around = namespaces_of(declaration);
    const bool is_of_user = declaration.file() != nullptr && files_.is_user(declaration.file());
    const std::vector<std::string> namespaces = is_of_user ? around : std::vector<std::string>();
    const std::string scope = join_names(around, "");
    const std::string plain = without_unnamed_namespaces(origin);
    const std::string base = legal_name(plain.starts_with(scope) ? plain.substr(scope.size()) : plain);
    std::string name = base;
    for (int number = 2; names_.contains(join_names(namespaces, name)); ++number) {
        if (is_of_user) {
            throw InputError(place + " has the type " + origin + ", which would be named " + name + " on the host, like " +
                             names_[join_names(namespaces, name)] + "; rename one of them");
        }
        name = base + "_" + std::to_string(number);
    }
    const std::string full = join_names(namespaces, name);
    declared_[origin] = full;
    names_[full] = origin;
    if (type.kind() == CXType_Enum) {
        add_enum(type, {namespaces, name, {}, false, {}}, place);
    } else {
        add_record(type, {namespaces, name, origin, 0, 0, {}, {}}, place);
    }
    return prefix_ + full;
}

void HostTypes::add_enum(const clang::Type& type, Enum declared, const std::string& place) {
    const clang::Cursor declaration = type.declaration();
    declared.underlying = text(declaration.enum_integer_type(), place, true);
    declared.is_scoped = declaration.is_scoped_enum();
    const bool is_unsigned = declared.underlying.starts_with("unsigned");
    for (const auto& child : declaration.children()) {
        if (child.kind() != CXCursor_EnumConstantDecl) continue;
        const std::int64_t value = child.enumerator_value(is_unsigned);
        declared.values.emplace_back(legal_name(child.spelling()), integer_text(value, is_unsigned));
    }
    result_.enums.push_back(std::move(declared));
}

void HostTypes::add_record(const clang::Type& type, Record declared, const std::string& place) {
    if (type.size() >= 0 && can_be_value(type)) {
        declared.size = type.size();
        declared.alignment = type.alignment();
        if (has_plain_fields(type)) {
            std::set<std::string> names;
            for (const auto& field : type.fields()) {
                const std::string name = legal_name(field.spelling());
                std::string element = text(field.type(), place + ", its member " + field.spelling(), true);
                const std::size_t extents = extents_in(element);
                declared.fields.push_back({name, element.substr(0, extents), element.substr(extents)});
                declared.offsets.push_back(field.field_offset_bits() / 8);
                names.insert(name);
            }
            if (names.size() != declared.fields.size()) {
                declared.fields.clear();
                declared.offsets.clear();
            }
        }
    }
    result_.records.push_back(std::move(declared));
}

std::string HostTypes::enumerator(const clang::Type& type, std::int64_t value, const std::string& place) {
    const std::string name = text(type.canonical(), place, true);
    const clang::Cursor declaration = type.canonical().declaration();
    const bool is_unsigned = declaration.enum_integer_type().canonical().spelling().starts_with("unsigned");
    for (const auto& child : declaration.children()) {
        if (child.kind() != CXCursor_EnumConstantDecl || child.enumerator_value(is_unsigned) != value) continue;
        return name + "::" + (is_known_to_host(type) ? child.spelling() : legal_name(child.spelling()));
    }
    return "static_cast<" + name + ">(" + integer_text(value, is_unsigned) + ")";
}

}  // namespace cubind::gen::kernels

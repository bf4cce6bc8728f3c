// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/host_records.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "error.hpp"

namespace cubind::gen::kernels {
namespace {

/// Returns the declaration that has the member functions: libclang does not list those of an instance of a template.
clang::Cursor pattern_of(const clang::Type& type) {
    const clang::Cursor declaration = type.declaration();
    const clang::Cursor pattern = declaration.specialized_template();
    return pattern.is_null() ? declaration : pattern;
}

/// Returns what keeps the bytes of an object from being all of it; empty if nothing does.
std::string obstacle(const clang::Type& qualified) {
    clang::Type type = qualified.canonical();
    while (type.is_array()) type = type.array_element().canonical();
    if (type.kind() == CXType_LValueReference || type.kind() == CXType_RValueReference) {
        return "it has a reference, which would refer to memory of the host; use a pointer";
    }
    if (type.kind() != CXType_Record) return {};
    if (type.size() < 0) return "it is not defined; include the header that defines it";
    const clang::Cursor pattern = pattern_of(type);
    // CUDA's types define copies that are those of the bytes.
    if (!pattern.is_in_system_header() && pattern.has_own_copy_or_destructor()) {
        return "it has a copy constructor or a destructor, but its bytes are copied to the device; remove them or pass a pointer";
    }
    for (const auto& member : pattern.children()) {
        if (member.is_virtual()) return "it has virtual functions or bases, which the host would set up for itself; remove them";
        if (member.kind() != CXCursor_CXXBaseSpecifier || member.type().declaration().is_null()) continue;
        if (std::string found = obstacle(member.type()); !found.empty()) return found;
    }
    for (const auto& field : type.fields()) {
        if (std::string found = obstacle(field.type()); !found.empty()) return found;
    }
    return {};
}

std::int64_t align(std::int64_t offset, std::int64_t alignment) {
    return (offset + alignment - 1) / alignment * alignment;
}

}  // namespace

bool can_be_value(const clang::Type& type) {
    return obstacle(type).empty();
}

void check_value(const clang::Type& type, const std::string& place) {
    if (const std::string found = obstacle(type); !found.empty()) {
        throw InputError(place + ", of which no object can be passed to the device: " + found);
    }
}

bool has_plain_fields(const clang::Type& type) {
    if (type.declaration().kind() == CXCursor_UnionDecl) return false;
    for (const auto& member : pattern_of(type).children()) {
        if (member.kind() == CXCursor_CXXBaseSpecifier) return false;
    }
    std::int64_t end = 0;
    for (const auto& field : type.fields()) {
        if (field.is_private() || field.is_bit_field() || field.spelling().empty() ||
            field.type().canonical().declaration().is_unnamed()) {
            return false;
        }
        const clang::Type member = field.type().canonical();
        if (field.field_offset_bits() != 8 * align(end, member.alignment())) return false;
        end = field.field_offset_bits() / 8 + member.size();
    }
    return align(end, type.alignment()) == type.size();
}

std::string integer_text(std::int64_t value, bool is_unsigned) {
    if (is_unsigned) return std::to_string(static_cast<std::uint64_t>(value)) + (value < 0 ? "u" : "");
    // There are no negative literals, and the positive one would be too large.
    if (value == std::numeric_limits<std::int64_t>::min()) return "(-9223372036854775807 - 1)";
    return std::to_string(value);
}

}  // namespace cubind::gen::kernels

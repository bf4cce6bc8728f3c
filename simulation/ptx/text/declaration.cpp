// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/declaration.hpp"

#include <bit>

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

struct Type {
    std::string_view name;
    std::size_t size;
    bool is_float = false;
};

constexpr Type types[] = {
    {".b8", 1},        {".u8", 1},    {".s8", 1},        {".b16", 2},        {".u16", 2},     {".s16", 2},
    {".f16", 2},       {".bf16", 2},  {".b32", 4},       {".u32", 4},        {".s32", 4},     {".f16x2", 4},
    {".bf16x2", 4},    {".tf32", 4},  {".f32", 4, true}, {".b64", 8},        {".u64", 8},     {".s64", 8},
    {".f64", 8, true}, {".b128", 16}, {".texref", 8},    {".samplerref", 8}, {".surfref", 8},
};

const Type* find_type(std::string_view name) noexcept {
    for (const Type& type : types) {
        if (type.name == name) return &type;
    }
    return nullptr;
}

constexpr std::size_t max_alignment = 1 << 20;

std::size_t read_alignment(Cursor& cursor) {
    const std::size_t alignment = cursor.expect_number("an alignment", max_alignment);
    if (!std::has_single_bit(alignment)) cursor.fail("an alignment is not a power of two");
    return alignment;
}

// Only the attribute for managed memory is visible in the API.
void read_attributes(Cursor& cursor, Declaration& declaration) {
    cursor.expect("(");
    while (!cursor.accept(")")) {
        if (cursor.is_at(Token::Kind::end)) cursor.fail_expecting("')'");
        if (cursor.take() == ".managed") declaration.is_managed = true;
    }
}

// The state space and the alignment of a pointee are not visible in the API.
void read_pointee(Cursor& cursor) {
    for (const std::string_view space : {".global", ".const", ".shared", ".local"}) cursor.accept(space);
    if (cursor.accept(".align")) read_alignment(cursor);
}

void read_extents(Cursor& cursor, Declaration& declaration) {
    while (cursor.accept("[")) {
        if (cursor.accept("]")) {
            if (!declaration.extents.empty()) cursor.fail("only the first extent of an array may be left out");
            declaration.extents.push_back(0);
            continue;
        }
        declaration.extents.push_back(cursor.expect_number("the extent of an array", ~std::size_t{0}));
        cursor.expect("]");
    }
}

}  // namespace

std::size_t Declaration::size(const Cursor& cursor) const {
    std::size_t bytes = element_size * lanes;
    for (const std::size_t extent : extents) {
        if (__builtin_mul_overflow(bytes, extent, &bytes)) cursor.fail("an array is too large");
    }
    return bytes;
}

Declaration read_declaration(Cursor& cursor) {
    Declaration declaration;
    for (;;) {
        if (cursor.accept(".align")) {
            declaration.alignment = read_alignment(cursor);
        } else if (cursor.accept(".attribute")) {
            read_attributes(cursor, declaration);
        } else if (cursor.accept(".ptr")) {
            read_pointee(cursor);
        } else if (cursor.accept(".v2")) {
            declaration.lanes = 2;
        } else if (cursor.accept(".v4")) {
            declaration.lanes = 4;
        } else if (const Type* const type = find_type(cursor.next().text)) {
            declaration.element_size = type->size;
            declaration.is_float = type->is_float;
            cursor.take();
        } else {
            break;
        }
    }
    if (declaration.element_size == 0) cursor.fail_expecting("a type");
    if (cursor.next().text.starts_with('.')) cursor.fail_expecting("a name");
    declaration.name = cursor.expect_word("a name");
    if (declaration.alignment == 0) declaration.alignment = declaration.element_size * declaration.lanes;
    read_extents(cursor, declaration);
    return declaration;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string_view>

#include "strided/copy_kernel.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

// The parts of the kernels; copy_kernels_ptx() replaces each `$name`. They are PTX, because copies must not need a compiler.
// Every driver since CUDA 12.0 loads it for every device that it supports. Numbers such as [copy+16] are offsets of these
// members.
static_assert(offsetof(CopyArguments, from) == 8 && offsetof(CopyArguments, count) == 16 && offsetof(CopyArguments, rank) == 24);
static_assert(offsetof(CopyArguments, axes) == 32 && sizeof(CopyAxis) == 24 && offsetof(CopyAxis, to) == 8);
static_assert(offsetof(CopyAxis, from) == 16);

// quotient = rest / extent. A division of 64 bits takes several times as long as one of 32 bits.
constexpr std::string_view divide = R"(
    or.b64 %high, %rest, %extent;
    shr.u64 %high, %high, 32;
    setp.ne.u64 %is_wide, %high, 0;
    @%is_wide bra WIDE_$label;
    cvt.u32.u64 %low, %rest;
    cvt.u32.u64 %low_extent, %extent;
    div.u32 %low, %low, %low_extent;
    cvt.u64.u32 %quotient, %low;
    bra DIVIDED_$label;
WIDE_$label:
    div.u64 %quotient, %rest, %extent;
DIVIDED_$label:
    mul.lo.s64 %remainder, %quotient, %extent;
    sub.s64 %remainder, %rest, %remainder;
)";

// Adds the distances of the element with the index `rest` in `left` axes from `axis` on. The first axis varies fastest.
constexpr std::string_view find_place = R"(
    ld.param.u64 %to, [copy];
    ld.param.u64 %from, [copy+8];
NEXT_AXIS:
    setp.eq.u32 %is_end, %left, 0;
    @%is_end bra FOUND;
    ld.param.u64 %extent, [%axis+32];
$divide_axis
    ld.param.u64 %distance, [%axis+40];
    mad.lo.s64 %to, %remainder, %distance, %to;
    ld.param.u64 %distance, [%axis+48];
    mad.lo.s64 %from, %remainder, %distance, %from;
    mov.u64 %rest, %quotient;
    add.s64 %axis, %axis, 24;
    sub.u32 %left, %left, 1;
    bra NEXT_AXIS;
FOUND:
)";

constexpr std::string_view registers = R"(
    .reg .pred %is_end, %is_wide, %is_inside, %is_inside_too;
    .reg .u32 %low, %low_extent, %left, %block, %blocks, %threads, %thread, %row, %address;
    .reg .u64 %index, %count, %step, %rest, %extent, %quotient, %remainder, %high, %to, %from, %axis, %distance;
    .reg .$part %element<4>, %second<4>, %third<4>, %fourth<4>;
)";

// Each thread copies one element after another.
constexpr std::string_view elements_kernel = R"(
.visible .entry copy_elements(.param .align 8 .b8 copy[$arguments])
{$registers
    mov.u32 %block, %ctaid.x;
    mov.u32 %blocks, %nctaid.x;
    mov.u32 %threads, %ntid.x;
    mov.u32 %thread, %tid.x;
    mul.wide.u32 %index, %block, %threads;
    cvt.u64.u32 %step, %thread;
    add.s64 %index, %index, %step;
    mul.wide.u32 %step, %blocks, %threads;
    ld.param.u64 %count, [copy+16];
NEXT:
    setp.ge.u64 %is_end, %index, %count;
    @%is_end bra END;
    mov.u64 %rest, %index;
    mov.u64 %axis, copy;
    ld.param.u32 %left, [copy+24];
$find_place
    ld.$type $element, [%from];
    st.$type [%to], $element;
    add.s64 %index, %index, %step;
    bra NEXT;
END:
    ret;
}
)";

// A block of 32 x 8 threads copies one tile of 32 x 32 elements after another through shared memory. Axis 0 varies fastest in the
// destination, and axis 1 in the source, so that each warp reads and writes neighboring elements. A row of the tile has room for
// 33 elements: the elements of a column then lie in different banks.
constexpr std::string_view tiles_kernel = R"(
.visible .entry copy_tiles(.param .align 8 .b8 copy[$arguments])
{$registers
    .reg .u64 %across, %along, %across_tiles, %along_tiles, %x, %y, %first, %last, %place, %to_across, %to_along, %from_across, %from_along;
    .shared .align 16 .b8 tile[$tile_bytes];
    mov.u32 %block, %ctaid.x;
    mov.u32 %blocks, %nctaid.x;
    mov.u32 %thread, %tid.x;
    mov.u32 %row, %tid.y;
    cvt.u64.u32 %index, %block;
    cvt.u64.u32 %step, %blocks;
    ld.param.u64 %count, [copy+16];
    ld.param.u64 %across, [copy+32];
    ld.param.u64 %to_across, [copy+40];
    ld.param.u64 %from_across, [copy+48];
    ld.param.u64 %along, [copy+56];
    ld.param.u64 %to_along, [copy+64];
    ld.param.u64 %from_along, [copy+72];
    add.s64 %across_tiles, %across, 31;
    shr.u64 %across_tiles, %across_tiles, 5;
    add.s64 %along_tiles, %along, 31;
    shr.u64 %along_tiles, %along_tiles, 5;
NEXT:
    setp.ge.u64 %is_end, %index, %count;
    @%is_end bra END;
    mov.u64 %rest, %index;
    mov.u64 %extent, %across_tiles;
$divide_across
    shl.b64 %first, %remainder, 5;
    mov.u64 %rest, %quotient;
    mov.u64 %extent, %along_tiles;
$divide_along
    shl.b64 %last, %remainder, 5;
    mov.u64 %rest, %quotient;
    mov.u64 %axis, copy;
    add.s64 %axis, %axis, 48;
    ld.param.u32 %left, [copy+24];
    sub.u32 %left, %left, 2;
$find_place
    cvt.u64.u32 %x, %row;
    add.s64 %x, %x, %first;
    cvt.u64.u32 %y, %thread;
    add.s64 %y, %y, %last;
    mad.lo.s64 %from, %x, %from_across, %from;
    mad.lo.s64 %from, %y, %from_along, %from;
    shl.b64 %distance, %from_across, 3;
    setp.lt.u64 %is_inside_too, %y, %along;
$read
    mad.lo.u32 %address, %row, 33, %thread;
    mul.lo.u32 %address, %address, $size;
    mov.u32 %low, tile;
    add.u32 %address, %address, %low;
$keep
    bar.sync 0;
    cvt.u64.u32 %x, %thread;
    add.s64 %x, %x, %first;
    cvt.u64.u32 %y, %row;
    add.s64 %y, %y, %last;
    mad.lo.s64 %to, %x, %to_across, %to;
    mad.lo.s64 %to, %y, %to_along, %to;
    shl.b64 %distance, %to_along, 3;
    setp.lt.u64 %is_inside_too, %x, %across;
    mad.lo.u32 %address, %thread, 33, %row;
    mul.lo.u32 %address, %address, $size;
    add.u32 %address, %address, %low;
$write
    bar.sync 0;
    add.s64 %index, %index, %step;
    bra NEXT;
END:
    ret;
}
)";

// The steps of one of the four rows of a thread, which lie 8 rows apart.
constexpr std::string_view read_row = R"(
    setp.lt.and.u64 %is_inside, %x, %across, %is_inside_too;
    @%is_inside ld.$type $element, [%from];
    add.s64 %from, %from, %distance;
    add.s64 %x, %x, 8;
)";
constexpr std::string_view keep_row = "    st.shared.$type [%address+$below], $element;\n";
constexpr std::string_view write_row = R"(
    ld.shared.$type $element, [%address+$beside];
    setp.lt.and.u64 %is_inside, %y, %along, %is_inside_too;
    @%is_inside st.$type [%to], $element;
    add.s64 %to, %to, %distance;
    add.s64 %y, %y, 8;
)";

void replace(std::string& text, std::string_view name, std::string_view value) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + value.size())) {
        text.replace(at, name.size(), value);
    }
}

std::string with(std::string_view text, std::string_view name, std::string_view value) {
    std::string result(text);
    replace(result, name, value);
    return result;
}

// Returns the registers of an element of the row: "%second0" or "{%second0, %second1}".
std::string element_of_row(std::size_t row, std::size_t parts) {
    constexpr std::array<const char*, 4> names{"%element", "%second", "%third", "%fourth"};
    std::string text;
    for (std::size_t i = 0; i < parts; ++i) text.append(i == 0 ? "" : ", ").append(names[row]).append(std::to_string(i));
    return parts == 1 ? text : "{" + text + "}";
}

}  // namespace

std::string copy_kernels_ptx(std::size_t element_size) {
    const std::size_t parts = element_size > 4 ? element_size / 4 : 1;
    const std::string part = "u" + std::to_string(element_size > 4 ? 32 : element_size * 8);
    std::string read, keep, write;
    for (std::size_t row = 0; row < 4; ++row) {
        const std::string element = element_of_row(row, parts);
        read += with(read_row, "$element", element);
        keep += with(with(keep_row, "$element", element), "$below", std::to_string(row * 8 * 33 * element_size));
        write += with(with(write_row, "$element", element), "$beside", std::to_string(row * 8 * element_size));
    }
    std::string text = ".version 7.0\n.target sm_50\n.address_size 64\n";
    text.append(elements_kernel).append(tiles_kernel);
    replace(text, "$read", read);
    replace(text, "$keep", keep);
    replace(text, "$write", write);
    replace(text, "$find_place", find_place);
    for (const char* label : {"axis", "across", "along"}) {
        replace(text, std::string("$divide_") + label, with(divide, "$label", label));
    }
    replace(text, "$registers", registers);
    replace(text, "$element", element_of_row(0, parts));
    replace(text, "$arguments", std::to_string(sizeof(CopyArguments)));
    replace(text, "$tile_bytes", std::to_string(32 * 33 * element_size));
    replace(text, "$type", (parts == 1 ? "" : "v" + std::to_string(parts) + ".") + part);
    replace(text, "$part", element_size == 1 ? "u16" : part);  // there are no registers of 8 bits
    replace(text, "$size", std::to_string(element_size));
    return text;
}

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "array/box_plan.hpp"

#include <cubind/core/array/array.hpp>
#include <cubind/core/memory/pitched_buffer.hpp>

#include <algorithm>
#include <string>

#include "array/array_state.hpp"
#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

// Only an array can have a compressed format.
ArrayUnit unit_of_side(const BoxView& side) {
    if (side.array == nullptr) return {side.element_size};
    const ArrayRef array = side.array_state != nullptr ? side.array_state->view() : ArrayRef(side.array);
    const ArrayUnit unit = unit_of(array.format());
    if (unit.bytes == 0) {
        throw_misuse("cannot copy ", describe(array.options()),
                     ": the size of its elements is not known; use driver::cuMemcpy3DAsync()");
    }
    return unit;
}

std::string text_of(const Extent3D& extent) {
    return concat(std::to_string(extent.width), " x ", extent.height, " x ", extent.depth);
}

Extent3D units_of(const Extent3D& elements, std::size_t side) noexcept {
    return {(elements.width + side - 1) / side, (elements.height + side - 1) / side, elements.depth};
}

void check_whole_blocks(const BoxView& view, std::size_t side) {
    if (view.offset.x % side == 0 && view.offset.y % side == 0) return;
    throw_misuse("a part of a compressed array begins at (", view.offset.x, ", ", view.offset.y, "), but its blocks have ", side,
                 " x ", side, " elements: use multiples of ", side);
}

BoxEnd end_of(const BoxView& view, const ArrayUnit& unit, const Extent3D& units) {
    if (view.array != nullptr) {
        check_whole_blocks(view, unit.side);
        return {
            .array = view.array, .x = view.offset.x / unit.side * unit.bytes, .y = view.offset.y / unit.side, .z = view.offset.z};
    }
    const std::size_t row = units.width * unit.bytes;
    if (!has_shape(view)) return {.address = view.address, .pitch = row, .rows_per_slice = units.height};
    if (view.pitch < row && (units.height > 1 || units.depth > 1)) {
        throw_misuse("cannot copy rows of ", row, " bytes from or to memory with a pitch of ", view.pitch,
                     " bytes: the rows would overlap");
    }
    if (view.rows_per_slice < units.height && units.depth > 1) {
        throw_misuse("cannot copy slices of ", units.height, " rows from or to memory with ", view.rows_per_slice,
                     " rows per slice: the slices would overlap");
    }
    return {.address = view.address, .pitch = std::max(view.pitch, row), .rows_per_slice = view.rows_per_slice};
}

void check_size(const BoxView& memory, const Extent3D& extent, std::size_t unit, std::size_t needed, bool is_source) {
    if (is_source && memory.size != needed) {
        throw_misuse("cannot copy ", memory.size, " bytes to ", text_of(extent), " elements: they have ", needed,
                     " bytes, in units of ", unit, "; pass a region() of the destination, or a PitchedSpan of the source");
    }
    if (!is_source && memory.size < needed) {
        throw_misuse("cannot copy ", text_of(extent), " elements, which have ", needed, " bytes in units of ", unit,
                     ", to a destination of ", memory.size, " bytes");
    }
}

void check_fit(const Extent3D& to, const Extent3D& from) {
    if (from.width <= to.width && from.height <= to.height && from.depth <= to.depth) return;
    throw_misuse("cannot copy ", text_of(from), " elements to a destination of ", text_of(to),
                 " elements; pass a region() of the part to be copied");
}

void check_elements(const ArrayUnit& to, const ArrayUnit& from) {
    if (to.bytes == from.bytes && to.side == from.side) return;
    if (to.side != from.side) {
        throw_misuse("cannot copy between blocks of ", std::max(to.side, from.side), " x ", std::max(to.side, from.side),
                     " elements of a compressed array and single elements: use memory without a shape, such as a std::span");
    }
    throw_misuse("cannot copy elements of ", from.bytes, " bytes to elements of ", to.bytes, " bytes");
}

}  // namespace

BoxPlan plan_copy(const BoxView& destination, const BoxView& source) {
    // Memory without a shape takes the shape of the other side.
    const BoxView& shaped = has_shape(source) ? source : destination;
    const ArrayUnit unit = unit_of_side(shaped);
    const Extent3D units = units_of(shaped.extent, unit.side);
    BoxPlan plan{.to = {}, .from = {}, .width = 0, .height = units.height, .depth = units.depth, .unit = unit};
    std::size_t needed = 0;
    if (__builtin_mul_overflow(units.width, unit.bytes, &plan.width) ||
        __builtin_mul_overflow(plan.width, plan.height, &needed) || __builtin_mul_overflow(needed, plan.depth, &needed)) {
        throw_misuse("cannot copy ", text_of(shaped.extent), " elements: a size is at most ", ~std::size_t{0}, " bytes");
    }
    if (!has_shape(source)) {
        check_size(source, shaped.extent, unit.bytes, needed, true);
    } else if (!has_shape(destination)) {
        check_size(destination, shaped.extent, unit.bytes, needed, false);
    } else {
        check_elements(unit_of_side(destination), unit);
        check_fit(destination.extent, source.extent);
    }
    if (plan.is_empty()) return plan;
    plan.to = end_of(destination, unit, units);
    plan.from = end_of(source, unit, units);
    return plan;
}

// ---- arrays --------------------------------------------------------------------------------------------------------------

BoxView view_box(const ArrayRegion& region) {
    check_part(region.offset, region.extent, region.array.extent());
    return {.array = region.array.native_handle(),
            .array_state = ArrayState::of(region.array),
            .offset = region.offset,
            .extent = region.extent};
}

BoxView view_box(ArrayRef array) {
    return {.array = array.native_handle(), .array_state = ArrayState::of(array), .extent = array.extent()};
}

}  // namespace CUBIND_NAMESPACE::detail

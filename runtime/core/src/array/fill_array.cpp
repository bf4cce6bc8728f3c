// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/array/array.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/fill.hpp>

#include "array/array_description.hpp"
#include "array/array_state.hpp"
#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail {

void fill_array(StreamRef stream, const BoxView& array, unsigned int pattern, unsigned int pattern_size) {
    const ArrayRef view = array.array_state != nullptr ? array.array_state->view() : ArrayRef(array.array);
    const ArrayUnit unit = unit_of(view.format());
    if (unit.bytes == 0 || unit.bytes % pattern_size != 0) {
        throw_misuse("cannot fill ", describe(view.options()), ", whose units have ", unit.bytes, " bytes, with a pattern of ",
                     pattern_size, " bytes");
    }
    const auto& [width, height, depth] = array.extent;
    const std::size_t size = (width + unit.side - 1) / unit.side * ((height + unit.side - 1) / unit.side) * unit.bytes;
    if (size == 0 || depth == 0) return;
    const Buffer slice = stream.device().allocate(stream, size);
    const MemoryView memory = memory_view_of(slice);
    fill(stream, {.memory = memory, .pattern = pattern, .pattern_size = pattern_size});
    BoxView destination = array;
    destination.extent.depth = 1;
    for (std::size_t z = 0; z < depth; ++z) {
        destination.offset.z = array.offset.z + z;
        copy_box(stream, destination, {.address = memory.address, .buffer = memory.buffer, .size = memory.size});
    }
}

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>

#include "ptx/handlers/common.hpp"
#include "ptx/run/block.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

template <class Value, class Call>
const Instruction* write(Warp& warp, const Instruction* instruction, Call call) {
    Value* const to = warp.to<Value>(instruction->slots[0]);
    const std::uint32_t mask = warp.mask;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const Value value = call(lane);
        to[lane] = (mask >> lane & 1) != 0 ? value : to[lane];
    }
    return instruction + 1;
}

// The threads of a warp follow one another. As a rule they are in one row of the block.
template <unsigned Index3::*member>
const Instruction* thread_index(Warp& warp, const Instruction* instruction) {
    const Extent3& size = warp.block.grid->request.block;
    const Index3 begin = warp.block.thread_index(warp.index * warp_size);
    if (begin.x + warp_size <= size.x) {
        constexpr bool is_x = member == &Index3::x;
        return write<std::uint32_t>(warp, instruction, [&](unsigned lane) { return begin.*member + (is_x ? lane : 0); });
    }
    Index3 next = begin;
    return write<std::uint32_t>(warp, instruction, [&](unsigned) {
        const Index3 index = next;
        if (++next.x == size.x) {
            next.x = 0;
            if (++next.y == size.y) {
                next.y = 0;
                ++next.z;
            }
        }
        return index.*member;
    });
}
template <unsigned Extent3::*member>
const Instruction* block_size(Warp& warp, const Instruction* instruction) {
    const unsigned value = warp.block.grid->request.block.*member;
    return write<std::uint32_t>(warp, instruction, [value](unsigned) { return value; });
}
template <unsigned Index3::*member>
const Instruction* block_index(Warp& warp, const Instruction* instruction) {
    const unsigned value = warp.block.index.*member;
    return write<std::uint32_t>(warp, instruction, [value](unsigned) { return value; });
}
template <unsigned Extent3::*member>
const Instruction* grid_size(Warp& warp, const Instruction* instruction) {
    const unsigned value = warp.block.grid->request.grid.*member;
    return write<std::uint32_t>(warp, instruction, [value](unsigned) { return value; });
}
const Instruction* lane_index(Warp& warp, const Instruction* instruction) {
    return write<std::uint32_t>(warp, instruction, [](unsigned lane) { return lane; });
}

constexpr SpecialRegister registers[] = {
    {"%ctaid.x", 4, block_index<&Index3::x>}, {"%ctaid.y", 4, block_index<&Index3::y>},
    {"%ctaid.z", 4, block_index<&Index3::z>}, {"%laneid", 4, lane_index},
    {"%nctaid.x", 4, grid_size<&Extent3::x>}, {"%nctaid.y", 4, grid_size<&Extent3::y>},
    {"%nctaid.z", 4, grid_size<&Extent3::z>}, {"%ntid.x", 4, block_size<&Extent3::x>},
    {"%ntid.y", 4, block_size<&Extent3::y>},  {"%ntid.z", 4, block_size<&Extent3::z>},
    {"%tid.x", 4, thread_index<&Index3::x>},  {"%tid.y", 4, thread_index<&Index3::y>},
    {"%tid.z", 4, thread_index<&Index3::z>},
};

}  // namespace

const SpecialRegister* find_special_register(std::string_view name) noexcept {
    const auto found = std::ranges::find(registers, name, &SpecialRegister::name);
    return found != std::end(registers) ? found : nullptr;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx

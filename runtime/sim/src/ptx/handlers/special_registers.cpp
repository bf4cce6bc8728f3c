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
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((warp.mask >> lane & 1) != 0) to[lane] = call(lane);
    }
    return instruction + 1;
}

template <unsigned Index3::*member>
const Instruction* thread_index(Warp& warp, const Instruction* instruction) {
    return write<std::uint32_t>(warp, instruction,
                                [&](unsigned lane) { return warp.block.thread_index(warp.index * warp_size + lane).*member; });
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

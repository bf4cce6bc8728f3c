// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <charconv>
#include <chrono>

#include "ptx/handlers/common.hpp"
#include "ptx/run/cluster.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

// Warps of a multiprocessor.
constexpr unsigned max_warps = 64;
// Shared memory is allocated in units of this size.
constexpr std::size_t shared_unit = 128;

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

/// Writes a value that all threads of a block share.
template <class Value, Value (*read)(const Block&)>
const Instruction* of_block(Warp& warp, const Instruction* instruction) {
    const Value value = read(warp.block);
    return write<Value>(warp, instruction, [value](unsigned) { return value; });
}
/// Writes a value that differs between the threads of a warp.
template <std::uint32_t (*read)(unsigned lane)>
const Instruction* of_lane(Warp& warp, const Instruction* instruction) {
    return write<std::uint32_t>(warp, instruction, read);
}
template <class Value, std::uint64_t number>
const Instruction* constant(Warp& warp, const Instruction* instruction) {
    return write<Value>(warp, instruction, [](unsigned) { return Value{number}; });
}
template <class Value, std::uint64_t (*now)(), unsigned shift = 0>
const Instruction* time(Warp& warp, const Instruction* instruction) {
    const auto value = static_cast<Value>(now() >> shift);
    return write<Value>(warp, instruction, [value](unsigned) { return value; });
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
const Instruction* warp_index(Warp& warp, const Instruction* instruction) {
    return write<std::uint32_t>(warp, instruction, [&](unsigned) { return warp.index; });
}
const Instruction* is_explicit_cluster(Warp& warp, const Instruction* instruction) {
    warp.set_predicate(instruction->slots[0], warp.block.grid->request.is_explicit_cluster ? all_lanes : 0);
    return instruction + 1;
}

template <unsigned Extent3::*member>
std::uint32_t block_size(const Block& block) {
    return block.grid->request.block.*member;
}
template <unsigned Index3::*member>
std::uint32_t block_index(const Block& block) {
    return block.index.*member;
}
template <unsigned Extent3::*member>
std::uint32_t grid_size(const Block& block) {
    return block.grid->request.grid.*member;
}
template <unsigned Index3::*index, unsigned Extent3::*size>
std::uint32_t cluster_index(const Block& block) {
    return block.index.*index / block.grid->request.cluster.*size;
}
template <unsigned Extent3::*member>
std::uint32_t clusters(const Block& block) {
    return block.grid->request.grid.*member / block.grid->request.cluster.*member;
}
template <unsigned Index3::*index, unsigned Extent3::*size>
std::uint32_t index_in_cluster(const Block& block) {
    return block.index.*index % block.grid->request.cluster.*size;
}
template <unsigned Extent3::*member>
std::uint32_t cluster_size(const Block& block) {
    return block.grid->request.cluster.*member;
}
std::uint32_t rank_in_cluster(const Block& block) {
    return block.rank;
}
std::uint32_t blocks_of_cluster(const Block& block) {
    return block.cluster.size();
}
std::uint32_t multiprocessor(const Block& block) {
    return static_cast<std::uint32_t>(block.linear_index % block.grid->request.multiprocessors);
}
std::uint64_t current_graph(const Block& block) {
    return block.grid->request.graph;
}
std::uint32_t multiprocessors(const Block& block) {
    return block.grid->request.multiprocessors;
}
std::uint64_t grid_number(const Block& block) {
    return block.grid->number;
}
std::uint32_t dynamic_shared(const Block& block) {
    return static_cast<std::uint32_t>(block.grid->request.dynamic_shared_bytes);
}
std::uint32_t total_shared(const Block& block) {
    const std::size_t bytes = block.grid->request.kernel->shared_bytes + block.grid->request.dynamic_shared_bytes;
    return static_cast<std::uint32_t>((bytes + shared_unit - 1) / shared_unit * shared_unit);
}

// The address of the workspace of a cooperative launch has two registers.
template <unsigned shift>
std::uint32_t workspace(const Block& block) {
    return static_cast<std::uint32_t>(block.grid->workspace() >> shift);
}

std::uint32_t lane_index(unsigned lane) {
    return lane;
}
std::uint32_t lanes_equal(unsigned lane) {
    return std::uint32_t{1} << lane;
}
std::uint32_t lanes_below(unsigned lane) {
    return lanes_equal(lane) - 1;
}
std::uint32_t lanes_up_to(unsigned lane) {
    return lanes_equal(lane) | lanes_below(lane);
}
std::uint32_t lanes_above(unsigned lane) {
    return ~lanes_up_to(lane);
}
std::uint32_t lanes_from(unsigned lane) {
    return ~lanes_below(lane);
}

template <class Clock>
std::uint64_t nanoseconds() {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count());
}
// A cycle lasts a nanosecond.
constexpr auto cycles = nanoseconds<std::chrono::steady_clock>;
constexpr auto nanoseconds_of_day = nanoseconds<std::chrono::system_clock>;

template <class Value, Value (*read)(const Block&)>
constexpr Handler block_value = of_block<Value, read>;
constexpr Handler zero_32 = constant<std::uint32_t, 0>;
constexpr Handler zero_64 = constant<std::uint64_t, 0>;

// The blocks of a launch without clusters are clusters of one block. No shared memory is reserved for the system.
constexpr SpecialRegister registers[] = {
    {"%tid.x", 4, thread_index<&Index3::x>},
    {"%tid.y", 4, thread_index<&Index3::y>},
    {"%tid.z", 4, thread_index<&Index3::z>},
    {"%ctaid.x", 4, block_value<std::uint32_t, block_index<&Index3::x>>},
    {"%ctaid.y", 4, block_value<std::uint32_t, block_index<&Index3::y>>},
    {"%ctaid.z", 4, block_value<std::uint32_t, block_index<&Index3::z>>},
    {"%ntid.x", 4, block_value<std::uint32_t, block_size<&Extent3::x>>},
    {"%ntid.y", 4, block_value<std::uint32_t, block_size<&Extent3::y>>},
    {"%ntid.z", 4, block_value<std::uint32_t, block_size<&Extent3::z>>},
    {"%nctaid.x", 4, block_value<std::uint32_t, grid_size<&Extent3::x>>},
    {"%nctaid.y", 4, block_value<std::uint32_t, grid_size<&Extent3::y>>},
    {"%nctaid.z", 4, block_value<std::uint32_t, grid_size<&Extent3::z>>},
    {"%tid.w", 4, zero_32},
    {"%ntid.w", 4, zero_32},
    {"%ctaid.w", 4, zero_32},
    {"%nctaid.w", 4, zero_32},
    {"%laneid", 4, of_lane<lane_index>},
    {"%lanemask_eq", 4, of_lane<lanes_equal>},
    {"%lanemask_lt", 4, of_lane<lanes_below>},
    {"%lanemask_le", 4, of_lane<lanes_up_to>},
    {"%lanemask_gt", 4, of_lane<lanes_above>},
    {"%lanemask_ge", 4, of_lane<lanes_from>},
    {"%warpid", 4, warp_index},
    {"%nwarpid", 4, constant<std::uint32_t, max_warps>},
    {"%smid", 4, block_value<std::uint32_t, multiprocessor>},
    {"%nsmid", 4, block_value<std::uint32_t, multiprocessors>},
    {"%gridid", 8, block_value<std::uint64_t, grid_number>},
    {"%clock", 4, time<std::uint32_t, cycles>},
    {"%clock_hi", 4, time<std::uint32_t, cycles, 32>},
    {"%clock64", 8, time<std::uint64_t, cycles>},
    {"%globaltimer", 8, time<std::uint64_t, nanoseconds_of_day>},
    {"%globaltimer_lo", 4, time<std::uint32_t, nanoseconds_of_day>},
    {"%globaltimer_hi", 4, time<std::uint32_t, nanoseconds_of_day, 32>},
    {"%dynamic_smem_size", 4, block_value<std::uint32_t, dynamic_shared>},
    {"%total_smem_size", 4, block_value<std::uint32_t, total_shared>},
    {"%aggr_smem_size", 4, block_value<std::uint32_t, total_shared>},
    {"%reserved_smem_offset_begin", 4, zero_32},
    {"%reserved_smem_offset_end", 4, zero_32},
    {"%reserved_smem_offset_cap", 4, zero_32},
    {"%reserved_smem_offset_0", 4, zero_32},
    {"%reserved_smem_offset_1", 4, zero_32},
    {"%current_graph_exec", 8, block_value<std::uint64_t, current_graph>},
    {"%is_explicit_cluster", 0, is_explicit_cluster},
    {"%clusterid.x", 4, block_value<std::uint32_t, cluster_index<&Index3::x, &Extent3::x>>},
    {"%clusterid.y", 4, block_value<std::uint32_t, cluster_index<&Index3::y, &Extent3::y>>},
    {"%clusterid.z", 4, block_value<std::uint32_t, cluster_index<&Index3::z, &Extent3::z>>},
    {"%clusterid.w", 4, zero_32},
    {"%nclusterid.x", 4, block_value<std::uint32_t, clusters<&Extent3::x>>},
    {"%nclusterid.y", 4, block_value<std::uint32_t, clusters<&Extent3::y>>},
    {"%nclusterid.z", 4, block_value<std::uint32_t, clusters<&Extent3::z>>},
    {"%nclusterid.w", 4, zero_32},
    {"%cluster_ctaid.x", 4, block_value<std::uint32_t, index_in_cluster<&Index3::x, &Extent3::x>>},
    {"%cluster_ctaid.y", 4, block_value<std::uint32_t, index_in_cluster<&Index3::y, &Extent3::y>>},
    {"%cluster_ctaid.z", 4, block_value<std::uint32_t, index_in_cluster<&Index3::z, &Extent3::z>>},
    {"%cluster_ctaid.w", 4, zero_32},
    {"%cluster_nctaid.x", 4, block_value<std::uint32_t, cluster_size<&Extent3::x>>},
    {"%cluster_nctaid.y", 4, block_value<std::uint32_t, cluster_size<&Extent3::y>>},
    {"%cluster_nctaid.z", 4, block_value<std::uint32_t, cluster_size<&Extent3::z>>},
    {"%cluster_nctaid.w", 4, zero_32},
    {"%cluster_ctarank", 4, block_value<std::uint32_t, rank_in_cluster>},
    {"%cluster_nctarank", 4, block_value<std::uint32_t, blocks_of_cluster>},
};

constexpr SpecialRegister counter{"%pm", 4, zero_32};
constexpr SpecialRegister wide_counter{"%pm_64", 8, zero_64};
constexpr SpecialRegister environment{"%envreg", 4, zero_32};
constexpr SpecialRegister workspace_low{"%envreg2", 4, block_value<std::uint32_t, workspace<0>>};
constexpr SpecialRegister workspace_high{"%envreg1", 4, block_value<std::uint32_t, workspace<32>>};

// Reads the number between a prefix and a suffix. Returns a number out of range if there is none.
unsigned number_between(std::string_view name, std::string_view prefix, std::string_view suffix) noexcept {
    constexpr unsigned none = ~0u;
    if (!name.starts_with(prefix) || !name.ends_with(suffix) || name.size() <= prefix.size() + suffix.size()) return none;
    name = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
    if (name.size() > 1 && name.starts_with('0')) return none;
    unsigned number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    return error == std::errc() && end == name.data() + name.size() ? number : none;
}

const SpecialRegister* find_numbered(std::string_view name) noexcept {
    if (number_between(name, "%pm", "") < 8) return &counter;
    if (number_between(name, "%pm", "_64") < 8) return &wide_counter;
    const unsigned number = number_between(name, "%envreg", "");
    if (number >= 32) return nullptr;
    return number == 1 ? &workspace_high : number == 2 ? &workspace_low : &environment;
}

// Registers have 4 or 8 bytes.
template <class Wide, class Narrow>
const Instruction* truncate(Warp& warp, const Instruction* instruction) {
    const Wide* const from = warp.from<Wide>(instruction->slots[1]);
    return write<Narrow>(warp, instruction, [from](unsigned lane) { return static_cast<Narrow>(from[lane]); });
}

}  // namespace

const SpecialRegister* find_special_register(std::string_view name) noexcept {
    // %tid.r is another name of %tid.x; .g, .b and .a are names of .y, .z and .w.
    if (name.size() > 2 && name[name.size() - 2] == '.') {
        constexpr std::string_view colors = "rgba";
        const std::size_t color = colors.find(name.back());
        for (const SpecialRegister& each : registers) {
            const bool is_same = each.name.size() == name.size() && each.name.starts_with(name.substr(0, name.size() - 1));
            if (is_same && (each.name == name || (color < 4 && each.name.back() == "xyzw"[color]))) return &each;
        }
        return nullptr;
    }
    for (const SpecialRegister& each : registers) {
        if (each.name == name) return &each;
    }
    return find_numbered(name);
}

Handler find_truncation(int from_bytes, int to_bytes) noexcept {
    if (from_bytes == 4 && to_bytes == 2) return truncate<std::uint32_t, std::uint16_t>;
    if (from_bytes == 8 && to_bytes == 4) return truncate<std::uint64_t, std::uint32_t>;
    if (from_bytes == 8 && to_bytes == 2) return truncate<std::uint64_t, std::uint16_t>;
    return nullptr;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx

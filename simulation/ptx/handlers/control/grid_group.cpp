// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions of libcudadevrt.a for the group of all threads of a cooperative launch. The headers of cooperative groups have
// code of their own for it.
#include <cubind/driver/constants.hpp>

#include "ptx/handlers/control/device_runtime.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

constexpr std::int32_t scope_grid = 1;
constexpr std::int32_t success = 0;
constexpr std::int32_t unknown_error = 999;  ///< cudaErrorUnknown, which an H100 returns for a handle of no group

std::uint64_t group_of(const Warp& warp) {
    return warp.block.grid->workspace();
}

bool is_group(const BuiltinCall& call, std::size_t offset) {
    const std::uint64_t group = group_of(call.warp);
    return group != 0 && call.parameter<std::uint64_t>(offset) == group;
}

// unsigned long long GetIntrinsicHandle(cudaCGScope scope), which returns 0 unless the launch is cooperative
const Instruction* get_handle(Warp& warp, const Instruction*) {
    return for_each_thread(warp, 4, 8, [](const BuiltinCall& call) {
        call.set_result(call.parameter<std::int32_t>(0) == scope_grid ? group_of(call.warp) : std::uint64_t{0});
    });
}

// Writes two numbers, or zeros without a group, to the addresses that the parameters have, unless they are null.
void write_numbers(const BuiltinCall& call, std::uint64_t first, std::uint32_t second) {
    const bool has_group = is_group(call, 16);
    const auto write = [&](std::size_t offset, std::uint64_t number) {
        const auto address = call.parameter<std::uint64_t>(offset);
        if (address != 0) call.write(address, has_group ? static_cast<std::uint32_t>(number) : 0u);
    };
    write(0, first);
    write(8, second);
    call.set_result(has_group ? success : unknown_error);
}

// cudaError_t GetSize(unsigned* threads, unsigned* grids, unsigned long long handle)
const Instruction* get_size(Warp& warp, const Instruction*) {
    return for_each_thread(warp, 24, 4, [](const BuiltinCall& call) {
        const Block& block = call.warp.block;
        write_numbers(call, block.grid->blocks() * block.threads, 1);
    });
}

// cudaError_t GetRank(unsigned* thread, unsigned* grid, unsigned long long handle). An H100 counts grids from 1.
const Instruction* get_rank(Warp& warp, const Instruction*) {
    return for_each_thread(warp, 24, 4, [](const BuiltinCall& call) {
        const Block& block = call.warp.block;
        write_numbers(call, block.linear_index * block.threads + call.warp.index * warp_size + call.lane, 1);
    });
}

// cudaError_t Synchronize(unsigned long long handle, unsigned flags): three instructions. The first is a barrier of the block.
// Threads without a group leave the function.
const Instruction* synchronize_block(Warp& warp, const Instruction* instruction) {
    require_declaration(warp, 12, 4);
    std::uint32_t members = 0;
    for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        const BuiltinCall call(warp, lane);
        if (is_group(call, 0)) {
            members |= std::uint32_t{1} << lane;
        } else {
            call.set_result(unknown_error);
        }
    }
    if (members == 0) return warp.end_call();
    if (members != warp.mask) {
        warp.leave(members, instruction);
        return warp.end_call();
    }
    constexpr unsigned barrier = 0;  // of the 16 of a block, as in the headers
    warp.wait_at_barrier(barrier, instruction + 1);
    warp.block.arrive(barrier, warp, members, 0);
    return nullptr;
}

// The first threads of the block count it as arrived.
const Instruction* arrive(Warp& warp, const Instruction* instruction) {
    warp.block.arrive_in_grid(static_cast<unsigned>(std::popcount(warp.mask)));
    return instruction + 1;
}

const Instruction* wait_for_grid(Warp& warp, const Instruction* instruction) {
    if (!warp.block.has_passed_grid_barrier()) return warp.pause_polling(instruction);
    for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1)
        BuiltinCall(warp, static_cast<unsigned>(std::countr_zero(rest))).set_result(success);
    return warp.end_call();
}

constexpr Handler after_block[] = {arrive, wait_for_grid};

constexpr Builtin all[] = {
    {"cudaCGGetIntrinsicHandle", get_handle},
    {"cudaCGGetRank", get_rank},
    {"cudaCGGetSize", get_size},
    {"cudaCGSynchronize", synchronize_block, after_block},
    {"cudaCGSynchronizeGrid", synchronize_block, after_block},
};

}  // namespace

std::span<const Builtin> grid_group_builtins() noexcept {
    return all;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx

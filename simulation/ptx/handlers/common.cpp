// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/handlers/common.hpp"

#include <cubind/driver/constants.hpp>

#include <bit>
#include <string>

#include "ptx/fidelity/instruction_counts.hpp"
#include "ptx/run/block.hpp"
#include "ptx/text/syntax.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

const Instruction* run_for(Warp& warp, const Instruction* instruction, std::uint32_t threads) {
    const std::uint32_t active = warp.mask;
    warp.mask = active & threads;
    if (warp.mask == 0) {
        warp.mask = active;
        return instruction + 1;
    }
    const Instruction* const next = instruction->guarded(warp, instruction);
    warp.mask = active;
    return next;
}

const Instruction* branch(Warp& warp, const Instruction* instruction, std::uint32_t taken) {
    taken &= warp.mask;
    if (taken == 0) return instruction + 1;
    if (taken == warp.mask) return instruction->target;
    return warp.split(taken, instruction->target, instruction + 1);
}

template <class Value>
const Instruction* write_address(Warp& warp, const Instruction* instruction, std::uint64_t begin) {
    Value* const to = warp.to<Value>(instruction->slots[0]);
    const auto address = static_cast<Value>(begin + static_cast<std::uint64_t>(instruction->offset));
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((warp.mask >> lane & 1) != 0) to[lane] = address;
    }
    return instruction + 1;
}

// Whether a function has room for the arguments and the results of a call.
bool fits(const CallSite& site, const Program& callee) {
    for (const ArgumentCopy& each : site.arguments) {
        if (callee.parameter_begin + each.callee + each.size > callee.local_bytes) return false;
    }
    for (const ArgumentCopy& each : site.results) {
        if (std::size_t{each.callee} + each.size > callee.parameter_begin) return false;
    }
    return true;
}

}  // namespace

const Instruction* hold_slots(Warp&, const Instruction* instruction) {
    return instruction + 1;
}

const Instruction* begin_block(Warp& warp, const Instruction* instruction) {
    return warp.begin_block(instruction);
}

// A warp that gives way begins the block again later.
const Instruction* count_block(Warp& warp, const Instruction* instruction) {
    const Instruction* const next = warp.begin_block(instruction);
    if (next == instruction + 1)
        static_cast<const BlockCount*>(instruction->data)->executions.fetch_add(1, std::memory_order_relaxed);
    return next;
}

const Instruction* run_guarded(Warp& warp, const Instruction* instruction) {
    return run_for(warp, instruction, warp.predicate(instruction->guard));
}

const Instruction* run_guarded_not(Warp& warp, const Instruction* instruction) {
    return run_for(warp, instruction, ~warp.predicate(instruction->guard));
}

const Instruction* jump(Warp&, const Instruction* instruction) {
    return instruction->target;
}

const Instruction* branch_if(Warp& warp, const Instruction* instruction) {
    return branch(warp, instruction, warp.predicate(instruction->guard));
}

const Instruction* branch_unless(Warp& warp, const Instruction* instruction) {
    return branch(warp, instruction, ~warp.predicate(instruction->guard));
}

const Instruction* return_from_call(Warp& warp, const Instruction*) {
    return warp.end_call();
}

const Instruction* call_function(Warp& warp, const Instruction* instruction) {
    const auto& site = *static_cast<const CallSite*>(instruction->data);
    return warp.begin_call(*site.callee, site, instruction + 1);
}

// Threads that call different functions go on separately: the first function runs for its threads, and the others call again.
const Instruction* call_pointer(Warp& warp, const Instruction* instruction) {
    const auto& site = *static_cast<const CallSite*>(instruction->data);
    const std::uint64_t* const pointers = warp.from<std::uint64_t>(instruction->slots[0]);
    const std::uint64_t pointer = pointers[std::countr_zero(warp.mask)];
    std::uint32_t same = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) same |= std::uint32_t{pointers[lane] == pointer} << lane;
    same &= warp.mask;
    CodeMap& code = *warp.block.grid->request.code;
    const Function* const function = code.function_at(pointer);
    const int lane = std::countr_zero(warp.mask);
    if (function == nullptr || function->is_kernel)
        throw Fault{driver::CUDA_ERROR_ILLEGAL_INSTRUCTION, "a call through a pointer that does not refer to a device function",
                    lane};
    const Program& callee = code.function(*function);
    if (!fits(site, callee)) {
        throw Fault{driver::CUDA_ERROR_ILLEGAL_INSTRUCTION,
                    "a call of " + callee.name + " through a pointer with another prototype", lane};
    }
    if (same != warp.mask) warp.leave(warp.mask & ~same, instruction);
    return warp.begin_call(callee, site, instruction + 1);
}

const Instruction* fail_unsupported(Warp&, const Instruction* instruction) {
    throw Fault{driver::CUDA_ERROR_NOT_SUPPORTED, *static_cast<const std::string*>(instruction->data), -1};
}

const Instruction* read_local_address_32(Warp& warp, const Instruction* instruction) {
    return write_address<std::uint32_t>(warp, instruction, warp.call().local);
}

const Instruction* read_local_address_64(Warp& warp, const Instruction* instruction) {
    return write_address<std::uint64_t>(warp, instruction, warp.call().local);
}

const Instruction* read_shared_address_32(Warp& warp, const Instruction* instruction) {
    return write_address<std::uint32_t>(warp, instruction, warp.block.shared_begin);
}

const Instruction* read_shared_address_64(Warp& warp, const Instruction* instruction) {
    return write_address<std::uint64_t>(warp, instruction, warp.block.shared_begin);
}

const Instruction* negate_predicate(Warp& warp, const Instruction* instruction) {
    warp.set_predicate(instruction->slots[0], ~warp.predicate(instruction->slots[1]));
    return instruction + 1;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx

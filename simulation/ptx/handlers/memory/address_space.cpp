// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/handlers/memory/address_space.hpp"

#include "ptx/run/block.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

template <class Convert>
const Instruction* convert(Warp& warp, const Instruction* instruction, Convert address_of) {
    std::uint64_t* const to = warp.to<std::uint64_t>(instruction->slots[0]);
    const std::uint64_t* const from = warp.from<std::uint64_t>(instruction->slots[1]);
    for (unsigned lane = 0; lane < warp_size; ++lane) to[lane] = (warp.mask >> lane & 1) != 0 ? address_of(from[lane]) : to[lane];
    return instruction + 1;
}

// Addresses of global memory, which includes the constants, equal their generic addresses.
const Instruction* copy_address(Warp& warp, const Instruction* instruction) {
    return convert(warp, instruction, [](std::uint64_t address) { return address; });
}
template <Window window>
const Instruction* to_generic(Warp& warp, const Instruction* instruction) {
    return convert(warp, instruction, [](std::uint64_t address) { return (address & window_mask) | window_base(window); });
}
const Instruction* from_generic(Warp& warp, const Instruction* instruction) {
    return convert(warp, instruction, [](std::uint64_t address) { return address & window_mask; });
}

template <class Test>
const Instruction* test(Warp& warp, const Instruction* instruction, Test is_in_space) {
    const std::uint64_t* const addresses = warp.from<std::uint64_t>(instruction->slots[1]);
    std::uint32_t bits = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((warp.mask >> lane & 1) != 0) bits |= std::uint32_t{is_in_space(addresses[lane])} << lane;
    }
    warp.set_predicate(instruction->slots[0], bits);
    return instruction + 1;
}

template <Window window>
const Instruction* is_in_window(Warp& warp, const Instruction* instruction) {
    return test(warp, instruction, [](std::uint64_t address) { return window_of(address) == window; });
}

const Instruction* is_in_own_shared(Warp& warp, const Instruction* instruction) {
    const std::uint64_t begin = window_base(Window::shared) + warp.block.shared_begin;
    return test(warp, instruction, [begin](std::uint64_t address) { return address - begin < shared_address(1); });
}

bool is_constant(Warp& warp, std::uint64_t address) {
    const MemoryRange* const range = window_of(address) == Window::global ? warp.block.memory.find(address, 1) : nullptr;
    return range != nullptr && range->is_constant;
}
const Instruction* is_in_constants(Warp& warp, const Instruction* instruction) {
    return test(warp, instruction, [&warp](std::uint64_t address) { return is_constant(warp, address); });
}

// Parameters of kernels are global, constants are not. All addresses that no other window has are global, valid or not.
const Instruction* is_in_global(Warp& warp, const Instruction* instruction) {
    return test(warp, instruction, [&warp](std::uint64_t address) {
        const Window window = window_of(address);
        return window != Window::shared && window != Window::local && !is_constant(warp, address);
    });
}

Handler select_conversion(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    if (!modifiers.one_of({".global", ".const"}).empty()) return copy_address;
    if (modifiers.has(".to")) return from_generic;
    if (modifiers.has(".local")) return to_generic<Window::local>;
    if (!modifiers.one_of({".param", ".param::entry"}).empty()) return to_generic<Window::parameter>;
    return to_generic<Window::shared>;
}

// As on an H200, an address with a rank that the cluster does not have counts as shared memory of the cluster.
Handler select_test(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    if (modifiers.has(".global")) return is_in_global;
    if (modifiers.has(".const")) return is_in_constants;
    if (modifiers.has(".local")) return is_in_window<Window::local>;
    if (!modifiers.one_of({".param", ".param::entry"}).empty()) return is_in_window<Window::parameter>;
    return modifiers.has(".shared::cluster") ? is_in_window<Window::shared> : is_in_own_shared;
}

// Forms with 32-bit addresses do not exist for devices whose addresses have 64 bits.
constexpr Form forms[] = {
    {"cvta", "[.to] .global|.const|.shared|.local .u64", "=t t", select_conversion, Flow::none, 2000, 20},
    {"cvta", "[.to] .shared::cta .u64", "=t t", select_conversion, Flow::none, 7080, 30},
    {"cvta", "[.to] .shared::cluster .u64", "=t t", select_conversion, Flow::none, 7080, 90},
    {"cvta", "[.to] .param .u64", "=t t", select_conversion, Flow::none, 7070, 70},
    {"cvta", "[.to] .param::entry .u64", "=t t", select_conversion, Flow::none, 8030, 70},
    {"isspacep", ".global|.shared|.local", "=p b64", select_test, Flow::none, 2000, 20},
    {"isspacep", ".const", "=p b64", select_test, Flow::none, 3010, 20},
    {"isspacep", ".shared::cta", "=p b64", select_test, Flow::none, 7080, 30},
    {"isspacep", ".shared::cluster", "=p b64", select_test, Flow::none, 7080, 90},
    {"isspacep", ".param", "=p b64", select_test, Flow::none, 7070, 70},
    {"isspacep", ".param::entry", "=p b64", select_test, Flow::none, 8030, 70},
};

}  // namespace

Forms address_space_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx

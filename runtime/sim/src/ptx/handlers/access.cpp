// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/handlers/access.hpp"

#include <cubind/driver/constants.hpp>

#include <bit>
#include <cstdio>

#include "ptx/run/block.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

struct Addresses {
    alignas(64) std::uint64_t lane[warp_size];
};

const char* name_of(AccessSpace space) {
    switch (space) {
        case AccessSpace::global:
            return "global";
        case AccessSpace::shared:
            return "shared";
        case AccessSpace::local:
            return "local";
        case AccessSpace::parameters:
            return "parameter";
        default:
            return "generic";
    }
}

std::string describe(AccessKind kind, unsigned bytes, std::uint64_t address) {
    char text[160];
    std::snprintf(text, sizeof text, "%s %s of %u bytes at address 0x%llx", name_of(kind.space), kind.is_write ? "store" : "load",
                  bytes, static_cast<unsigned long long>(address));
    return text;
}

// All threads have the same address without a register. An address in a space of 32 bits may have a register of 32 bits.
void find_addresses(const Warp& warp, const Instruction* instruction, AccessKind kind, std::uint32_t slot, Addresses& addresses) {
    auto offset = static_cast<std::uint64_t>(instruction->offset);
    if (kind.base == AddressBase::frame) offset += warp.call().local;
    if (kind.pointer_bytes == 8) {
        const std::uint64_t* const pointers = warp.from<std::uint64_t>(slot);
        for (unsigned lane = 0; lane < warp_size; ++lane) addresses.lane[lane] = pointers[lane] + offset;
    } else if (kind.pointer_bytes == 4) {
        const std::uint32_t* const pointers = warp.from<std::uint32_t>(slot);
        for (unsigned lane = 0; lane < warp_size; ++lane) addresses.lane[lane] = pointers[lane] + offset;
    } else {
        for (unsigned lane = 0; lane < warp_size; ++lane) addresses.lane[lane] = offset;
    }
}

[[noreturn]] void fail_access(Warp& warp, AccessKind kind, unsigned bytes, std::uint64_t address, unsigned lane, const char* why,
                              driver::CUresult status = driver::CUDA_ERROR_ILLEGAL_ADDRESS) {
    std::string text = describe(kind, bytes, address) + why;
    if (kind.space == AccessSpace::global && status == driver::CUDA_ERROR_ILLEGAL_ADDRESS) {
        text += warp.block.grid->request.memory->describe(address);
    }
    throw Fault{status, std::move(text), static_cast<int>(lane)};
}

void check_alignment(Warp& warp, AccessKind kind, unsigned bytes, std::uint32_t mask, const Addresses& addresses) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1) == 0 || (addresses.lane[lane] & (bytes - 1)) == 0) continue;
        fail_access(warp, kind, bytes, addresses.lane[lane], lane, " is misaligned", driver::CUDA_ERROR_MISALIGNED_ADDRESS);
    }
}

void find_global(Warp& warp, AccessKind kind, unsigned bytes, std::uint32_t mask, const Addresses& addresses,
                 LanePointers& pointers) {
    RangeCache& ranges = warp.block.memory;
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t greatest = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const std::uint64_t address = addresses.lane[lane];
        pointers.lane[lane] = reinterpret_cast<std::byte*>(address);
        if ((mask >> lane & 1) == 0) continue;
        least = address < least ? address : least;
        greatest = address > greatest ? address : greatest;
    }
    // As a rule all threads access one allocation.
    const MemoryRange* range = greatest + bytes > greatest ? ranges.find(least, greatest - least + bytes) : nullptr;
    if (range != nullptr && !(kind.is_write && range->is_read_only)) return;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        const std::uint64_t address = addresses.lane[lane];
        range = ranges.find(address, bytes);
        if (range == nullptr) fail_access(warp, kind, bytes, address, lane, " is not within an allocation");
        if (kind.is_write && range->is_read_only)
            fail_access(warp, kind, bytes, address, lane, " writes to memory that is read-only");
    }
}

// Spaces other than global begin at address 0 and have an end. Their generic addresses have the window in addition.
void find_in_space(Warp& warp, AccessKind kind, unsigned bytes, std::uint32_t mask, const Addresses& addresses, std::byte* memory,
                   std::size_t size, std::size_t stride, LanePointers& pointers) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        const std::uint64_t offset = addresses.lane[lane] & window_mask;
        if (offset > size || size - offset < bytes) {
            char why[100];
            std::snprintf(why, sizeof why, " is not within the %zu bytes of %s memory", size, name_of(kind.space));
            fail_access(warp, kind, bytes, offset, lane, why);
        }
        pointers.lane[lane] = memory + lane * stride + offset;
    }
}

void find_in(Warp& warp, AccessKind kind, unsigned bytes, std::uint32_t mask, const Addresses& addresses,
             LanePointers& pointers) {
    Block& block = warp.block;
    switch (kind.space) {
        case AccessSpace::shared:
            return find_in_space(warp, kind, bytes, mask, addresses, block.shared_memory(), block.shared_size(), 0, pointers);
        case AccessSpace::local:
            return find_in_space(warp, kind, bytes, mask, addresses, warp.local_memory(0), warp.local_size(), warp.local_size(),
                                 pointers);
        case AccessSpace::parameters: {
            const auto parameters = block.grid->request.parameters;
            auto* const memory = const_cast<std::byte*>(parameters.data());
            return find_in_space(warp, kind, bytes, mask, addresses, memory, parameters.size(), 0, pointers);
        }
        default:
            return find_global(warp, kind, bytes, mask, addresses, pointers);
    }
}

AccessSpace space_of(Window window) {
    switch (window) {
        case Window::shared:
            return AccessSpace::shared;
        case Window::local:
            return AccessSpace::local;
        case Window::parameter:
            return AccessSpace::parameters;
        default:
            return AccessSpace::global;
    }
}

}  // namespace

AccessKind AccessKind::of(const Choice& choice, bool is_write) {
    const Modifiers& modifiers = choice.modifiers;
    AccessKind kind{.base = choice.base,
                    .pointer_bytes = choice.pointer_bytes,
                    .vector_length = static_cast<std::uint8_t>(modifiers.vector_length()),
                    .is_write = is_write};
    if (modifiers.has(".global") || modifiers.has(".const")) kind.space = AccessSpace::global;
    if (modifiers.has(".shared") || modifiers.has(".shared::cta")) kind.space = AccessSpace::shared;
    if (modifiers.has(".local")) kind.space = AccessSpace::local;
    // The parameters of a kernel are its own space. Those of other functions are in their local memory.
    const bool is_parameter = modifiers.has(".param") || modifiers.has(".param::entry") || modifiers.has(".param::func");
    if (is_parameter) kind.space = choice.base == AddressBase::parameters ? AccessSpace::parameters : AccessSpace::local;
    if (is_parameter && choice.base == AddressBase::pointer && choice.is_kernel) kind.space = AccessSpace::parameters;
    return kind;
}

void find_memory(Warp& warp, const Instruction* instruction, AccessKind kind, std::uint32_t pointer_slot, unsigned bytes,
                 LanePointers& pointers) {
    Addresses addresses;
    find_addresses(warp, instruction, kind, pointer_slot, addresses);
    std::uint64_t bits = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) bits |= (warp.mask >> lane & 1) != 0 ? addresses.lane[lane] : 0;
    if ((bits & (bytes - 1)) != 0) [[unlikely]]
        check_alignment(warp, kind, bytes, warp.mask, addresses);
    if (kind.space != AccessSpace::generic) return find_in(warp, kind, bytes, warp.mask, addresses, pointers);
    for (std::uint32_t rest = warp.mask; rest != 0;) {
        const Window window = window_of(addresses.lane[std::countr_zero(rest)]);
        std::uint32_t same = 0;
        for (unsigned lane = 0; lane < warp_size; ++lane)
            same |= std::uint32_t{window_of(addresses.lane[lane]) == window} << lane;
        kind.space = space_of(window);
        find_in(warp, kind, bytes, same & rest, addresses, pointers);
        rest &= ~same;
    }
}

}  // namespace CUBIND_NAMESPACE::sim::ptx

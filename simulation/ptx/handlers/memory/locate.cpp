// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/handlers/memory/locate.hpp"

#include "ptx/handlers/lanes.hpp"
#include "ptx/run/block.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

/// An access of a warp.
struct Request {
    Warp& warp;
    const Instruction* instruction;
    AccessKind kind;
    unsigned bytes;
    unsigned first;  ///< first active thread
};

/// Memory that the addresses of a space refer to.
struct Target {
    std::uint64_t begin;    ///< first address
    std::uint64_t size;     ///< bytes
    std::uintptr_t memory;  ///< of thread 0
    std::uintptr_t stride;  ///< bytes between the memory of a thread and of the next thread
};

// Finds the shared memory of another block.
bool find_in_cluster(Block& own, std::uint64_t address, Target& target) {
    Block* const block = find_block(own, address);
    if (block == nullptr) return false;
    target = {address & ~(shared_address(1) - 1), block->shared_size(), reinterpret_cast<std::uintptr_t>(block->shared_memory()),
              0};
    return true;
}

// Finds the memory that contains an address. The window of a generic address shows its space.
inline bool find_target(const Request& request, std::uint64_t address, std::uint64_t bytes, Target& target) {
    Block& block = request.warp.block;
    AccessSpace space = request.kind.space;
    std::uint64_t begin = 0;
    if (space == AccessSpace::generic) {
        begin = address & ~window_mask;
        space = begin == 0 ? AccessSpace::global : space_of(address);
    }
    switch (space) {
        case AccessSpace::shared:
        case AccessSpace::cluster:
            if (request.kind.pointer_bytes != 0) begin += block.shared_begin;
            target = {begin, block.shared_size(), reinterpret_cast<std::uintptr_t>(block.shared_memory()), 0};
            return address - begin < shared_address(1) || request.kind.space == AccessSpace::shared ||
                   find_in_cluster(block, address, target);
        case AccessSpace::local:
            target = {begin, request.warp.local_size(), reinterpret_cast<std::uintptr_t>(request.warp.local_memory(0)),
                      request.warp.local_size()};
            return request.kind.action != AccessAction::update;
        case AccessSpace::parameters: {
            const auto parameters = block.grid->request.parameters;
            target = {begin, parameters.size(), reinterpret_cast<std::uintptr_t>(parameters.data()), 0};
            return !request.kind.is_write();
        }
        default: {
            const MemoryRange* const range = block.memory.find(address, bytes, request.instruction);
            if (range == nullptr) return false;
            target = {range->begin, range->size, static_cast<std::uintptr_t>(range->begin), 0};
            return !(request.kind.is_write() && range->is_read_only);
        }
    }
}

inline bool is_global(const Request& request, const Target& target) {
    return target.memory == target.begin && request.kind.space <= AccessSpace::global;
}

// Locates memory that begins at `address` and that the threads up to `last` access `stride` bytes apart.
inline bool locate_regular(const Request& request, std::uint64_t address, unsigned last, std::uint64_t stride,
                           Location& location) {
    const std::uint64_t bytes = (last - request.first) * stride + request.bytes;
    Target target;
    if ((address & (request.bytes - 1)) != 0 || !find_target(request, address, bytes, target)) return false;
    const std::uint64_t offset = address - target.begin;
    if (offset > target.size || target.size - offset < bytes) return false;
    location.is_regular = true;
    location.global_lanes = is_global(request, target) ? request.warp.mask : 0;
    location.begin = target.memory + offset - request.first * stride;
    location.stride = target.stride + stride;
    return true;
}

template <bool is_full, class Pointer>
bool locate_scattered(const Request& request, const Pointer* pointers, Pointer offset, Location& location) {
    Target target;
    if (!find_target(request, static_cast<Pointer>(pointers[request.first] + offset), request.bytes, target)) return false;
    if (target.size < request.bytes) return false;
    const std::uint32_t mask = request.warp.mask;
    const std::uint64_t begin = target.begin;
    const std::uint64_t limit = target.size - request.bytes;
    const std::uintptr_t memory = target.memory;
    const std::uintptr_t stride = target.stride;
    // The sign bit of `outside` is set if an offset, or the distance from it to the limit, is negative.
    std::uint64_t outside = 0;
    std::uint64_t all = 0;
    CUBIND_FOR_LANES(lane) {
        const std::uint64_t address = static_cast<Pointer>(pointers[lane] + offset);
        const std::uint64_t at = address - begin;
        const bool is_active = is_full || (mask & lane_bits[lane]) != 0;
        outside |= is_active ? at | (limit - at) : 0;
        all |= is_active ? address : 0;
        location.lane[lane] = memory + at + lane * stride;
    }
    if (outside >> 63 != 0 || (all & (request.bytes - 1)) != 0) return false;
    location.is_regular = false;
    location.global_lanes = is_global(request, target) ? mask : 0;
    return true;
}

// Returns whether the addresses of all active threads are equal, or follow one another.
template <class Pointer>
inline bool is_regular(const Request& request, const Pointer* pointers, unsigned last, Pointer& stride) {
    const unsigned first = request.first;
    const auto distance = static_cast<Pointer>(pointers[last] - pointers[first]);
    stride = distance == 0 ? 0 : request.bytes;
    if (distance != stride * (last - first)) return false;
    Pointer expected = pointers[first] - first * stride;
    Pointer difference = 0;
    const std::uint32_t mask = request.warp.mask;
    if (mask == all_lanes) {
        CUBIND_FOR_LANES(lane) {
            difference |= pointers[lane] ^ expected;
            expected += stride;
        }
    } else {
        CUBIND_FOR_LANES(lane) {
            difference |= (mask & lane_bits[lane]) != 0 ? pointers[lane] ^ expected : 0;
            expected += stride;
        }
    }
    return difference == 0;
}

template <class Pointer>
bool locate_pointers(const Request& request, const Pointer* pointers, Location& location) {
    const auto offset = static_cast<Pointer>(request.instruction->offset);
    const auto last = 31 - static_cast<unsigned>(__builtin_clz(request.warp.mask));
    Pointer stride = 0;
    if (is_regular(request, pointers, last, stride)) {
        return locate_regular(request, static_cast<Pointer>(pointers[request.first] + offset), last, stride, location);
    }
    if (request.warp.is_full()) return locate_scattered<true>(request, pointers, offset, location);
    return locate_scattered<false>(request, pointers, offset, location);
}

bool locate_if_valid(const Request& request, std::uint32_t slot, Location& location) {
    switch (request.kind.pointer_bytes) {
        case 8:
            return locate_pointers(request, request.warp.from<std::uint64_t>(slot), location);
        case 4:
            return locate_pointers(request, request.warp.from<std::uint32_t>(slot), location);
        default:
            break;
    }
    auto address = static_cast<std::uint64_t>(request.instruction->offset);
    if (request.kind.base == AddressBase::frame) address += request.warp.call().local;
    return locate_regular(request, address, request.first, 0, location);
}

}  // namespace

void locate(Warp& warp, const Instruction* instruction, AccessKind kind, std::uint32_t pointer_slot, unsigned bytes,
            Location& location) {
    const Request request{warp, instruction, kind, bytes, static_cast<unsigned>(__builtin_ctz(warp.mask))};
    if (locate_if_valid(request, pointer_slot, location)) [[likely]]
        return;
    find_memory(warp, instruction, kind, pointer_slot, bytes, location);
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Fences, and instructions that only affect caches.
#include "ptx/handlers/memory/fence.hpp"

#include <cubind/driver/constants.hpp>

#include <atomic>
#include <bit>

#include "ptx/handlers/memory/access.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

// Fences order accesses of all scopes and proxies: all memory is coherent for the threads of the host. ThreadSanitizer has no
// model of fences.
template <std::memory_order order>
const Instruction* fence(Warp&, const Instruction* instruction) {
#if defined(__SANITIZE_THREAD__)
    static std::atomic<unsigned> all;
    all.fetch_add(1, std::memory_order_seq_cst);
#else
    std::atomic_thread_fence(order);
#endif
    return instruction + 1;
}

Handler select_fence(Choice& choice) {
    const bool is_weak = !choice.modifiers.one_of({".acq_rel", ".acquire", ".release"}).empty();
    return is_weak ? fence<std::memory_order_acq_rel> : fence<std::memory_order_seq_cst>;
}

// Prefetches ignore invalid addresses.
const Instruction* prefetch(Warp&, const Instruction* instruction) {
    return instruction + 1;
}

Handler select_prefetch(Choice&) {
    return prefetch;
}

// Applies to a line of the cache. The contents of memory that is discarded are undefined; here they stay.
const Instruction* check_line(Warp& warp, const Instruction* instruction) {
    constexpr unsigned line = 128;
    const AccessKind kind = AccessKind::unpack(instruction->extra);
    const std::uint32_t size = instruction->slots[kind.pointer_bytes != 0 ? 1 : 0];
    if (warp.from<std::uint32_t>(size)[std::countr_zero(warp.mask)] != line)
        throw Fault{driver::CUDA_ERROR_ILLEGAL_INSTRUCTION, "the size of a cache operation is not 128", -1};
    Location location;
    find_memory(warp, instruction, kind, instruction->slots[0], line, location);
    return instruction + 1;
}

template <AccessAction action>
Handler select_line(Choice& choice) {
    choice.extra = AccessKind::of(choice, action).pack();
    return check_line;
}

#define CUBIND_SCOPES ".cta|.cluster|.gpu|.sys"

constexpr Form forms[] = {
    {"membar", ".cta|.gl|.sys", "", select_fence},
    {"membar", ".proxy .alias", "", select_fence, Flow::none, 7050, 70},
    {"fence", "[.sc|.acq_rel] " CUBIND_SCOPES, "", select_fence, Flow::none, 6000, 70},
    {"fence", ".acquire|.release " CUBIND_SCOPES, "", select_fence, Flow::none, 8060, 70},
    {"fence", ".acquire .sync_restrict::shared::cluster .cluster", "", select_fence, Flow::none, 8060, 90},
    {"fence", ".release .sync_restrict::shared::cta .cluster", "", select_fence, Flow::none, 8060, 90},
    {"fence", ".mbarrier_init .release .cluster", "", select_fence, Flow::none, 8000, 90},
    {"fence", ".proxy .alias", "", select_fence, Flow::none, 7050, 70},
    {"fence", ".proxy .async [.global|.shared::cta|.shared::cluster]", "", select_fence, Flow::none, 8000, 90},
    {"fence", ".proxy .async::generic .acquire .sync_restrict::shared::cluster .cluster", "", select_fence, Flow::none, 8060, 90},
    {"fence", ".proxy .async::generic .release .sync_restrict::shared::cta .cluster", "", select_fence, Flow::none, 8060, 90},
    {"fence", ".proxy .tensormap::generic .release " CUBIND_SCOPES, "", select_fence, Flow::none, 8030, 90},
    {"fence", ".proxy .tensormap::generic .acquire " CUBIND_SCOPES, "m b32", select_fence, Flow::none, 8030, 90},
    {"prefetch", "[.global|.local] .L1|.L2", "m", select_prefetch, Flow::none, 2000, 20},
    {"prefetch", "[.global] .L2::evict_last|.L2::evict_normal", "m", select_prefetch, Flow::none, 7040, 80},
    {"prefetch", "[.const|.param] .tensormap", "m", select_prefetch, Flow::none, 8000, 90},
    {"prefetchu", ".L1", "m", select_prefetch, Flow::none, 2000, 20},
    {"applypriority", "[.global] .L2::evict_normal", "m b32", select_line<AccessAction::prioritize>, Flow::none, 7040, 80},
    {"discard", "[.global] .L2", "m b32", select_line<AccessAction::discard>, Flow::none, 7040, 80},
};

}  // namespace

Forms fence_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx

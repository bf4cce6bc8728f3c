// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/memory/kernel_heaps.hpp"

namespace CUBIND_NAMESPACE::sim {

std::shared_ptr<KernelHeap> KernelHeaps::find(Context& context) {
    std::size_t limit = 0;
    {
        const std::lock_guard lock(context.settings_mutex);
        limit = context.limits[CU_LIMIT_MALLOC_HEAP_SIZE];
    }
    const std::lock_guard lock(mutex_);
    std::shared_ptr<KernelHeap>& heap = heaps_[context.handle];
    if (heap == nullptr) heap = std::make_shared<KernelHeap>(memory_, context, limit);
    return heap;
}

void KernelHeaps::remove(const Context& context) {
    const std::lock_guard lock(mutex_);
    heaps_.erase(context.handle);
}

}  // namespace CUBIND_NAMESPACE::sim

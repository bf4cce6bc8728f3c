// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/virtual/kernel_heaps.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

std::shared_ptr<KernelHeap> KernelHeaps::find(Context& context) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<KernelHeap>& heap = heaps_[context.handle];
    if (heap == nullptr) {
        const std::lock_guard settings_lock(context.settings_mutex);
        heap = std::make_shared<KernelHeap>(memory_, opened_, context, context.limits[CU_LIMIT_MALLOC_HEAP_SIZE]);
    }
    return heap;
}

void KernelHeaps::remove(const Context& context) {
    const std::lock_guard lock(mutex_);
    heaps_.erase(context.handle);
}

}  // namespace CUBIND_NAMESPACE::sim

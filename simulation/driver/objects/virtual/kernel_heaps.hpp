// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>

#include "objects/virtual/kernel_memory.hpp"
#include "ptx/run/heap.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The memory of the kernels of a context, and the heap from which they allocate. The heap's limit is the context's
/// CU_LIMIT_MALLOC_HEAP_SIZE at its first kernel.
struct KernelHeap {
    KernelHeap(MemoryMap& map, const OpenedMemory& opened, Context& context, std::size_t limit)
        : memory(map, opened, context), heap(memory, limit) {}

    KernelMemory memory;
    ptx::DeviceHeap heap;
};

/// The heaps of all contexts. Thread-safe.
class KernelHeaps {
public:
    KernelHeaps(MemoryMap& memory, const OpenedMemory& opened) : memory_(memory), opened_(opened) {}

    /// Returns the heap of a context. Creates it for the first kernel. It exists until remove().
    std::shared_ptr<KernelHeap> find(Context& context);
    /// Removes the heap of a context that ends. The caller frees the memory of the heap.
    void remove(const Context& context);

private:
    MemoryMap& memory_;
    const OpenedMemory& opened_;
    std::mutex mutex_;
    std::map<driver::CUcontext, std::shared_ptr<KernelHeap>> heaps_;
};

}  // namespace CUBIND_NAMESPACE::sim

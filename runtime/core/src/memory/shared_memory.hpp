// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/detail/free_order.hpp>
#include <cubind/core/memory_resource.hpp>

#include <memory>
#include <utility>

#include "memory/free_quietly.hpp"

namespace cubind::detail {

/// Memory of a buffer that others keep, too; it goes back when the last of them is gone.
class KeptMemory {
public:
    /// Frees nothing before take_over().
    KeptMemory(driver::CUdeviceptr pointer, std::size_t size, std::shared_ptr<const void> owner, FreeOrder order) noexcept
        : pointer_(pointer), size_(size), owner_(std::move(owner)), order_(std::move(order)) {}
    KeptMemory(const KeptMemory&) = delete;
    KeptMemory& operator=(const KeptMemory&) = delete;
    ~KeptMemory() {
        if (resource_ != nullptr) free_quietly(order_, *resource_, pointer_, size_);
    }

    // Only while the buffer is one of those that keep it:
    void take_over(MemoryResourceBase* resource) noexcept { resource_ = resource; }
    void set_order(FreeOrder order) noexcept { order_ = std::move(order); }
    void release() noexcept { resource_ = nullptr; }

private:
    driver::CUdeviceptr pointer_;
    std::size_t size_;
    MemoryResourceBase* resource_ = nullptr;
    std::shared_ptr<const void> owner_;
    FreeOrder order_;
};

/// A buffer's part in it, which fits into one pointer of the buffer.
class SharedMemory {
public:
    explicit SharedMemory(std::shared_ptr<KeptMemory> kept) noexcept : kept_(std::move(kept)) {}

    const std::shared_ptr<KeptMemory>& kept() const noexcept { return kept_; }

private:
    std::shared_ptr<KeptMemory> kept_;
};

}  // namespace cubind::detail

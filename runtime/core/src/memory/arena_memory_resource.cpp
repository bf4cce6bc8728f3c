// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/arena_memory_resource.hpp>
#include <cubind/core/memory/buffer.hpp>

#include <algorithm>
#include <mutex>

#include "calls/driver.hpp"

namespace CUBIND_NAMESPACE {

class detail::Arena final : public MemoryResourceBase {
public:
    explicit Arena(Buffer memory) : memory_(std::move(memory)), upstream_(memory_.memory_resource()->base()) {}

    driver::CUdeviceptr allocate(StreamRef, std::size_t size, std::size_t alignment) override {
        const std::lock_guard lock(mutex_);
        const driver::CUdeviceptr base = memory_.native_handle();
        const driver::CUdeviceptr address = (base + used_ + alignment - 1) / alignment * alignment;
        const std::size_t offset = address - base;
        if (offset > memory_.size() || size > memory_.size() - offset) {
            throw OutOfMemory(
                "driver", "ArenaMemoryResource", driver::CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY",
                concat(std::to_string(size), " bytes at a multiple of ", alignment, " were requested; ", used_, " of ",
                       memory_.size(), " bytes of the arena are in use: create a larger one, or call rewind()"));
        }
        used_ = offset + size;
        peak_ = std::max(peak_, used_);
        return address;
    }
    void deallocate(StreamRef, driver::CUdeviceptr, std::size_t, std::size_t) override {}

    bool is_device_accessible() const noexcept override { return upstream_->is_device_accessible(); }
    bool is_host_accessible() const noexcept override { return upstream_->is_host_accessible(); }
    bool is_managed() const noexcept override { return upstream_->is_managed(); }
    bool is_mapped() const noexcept override { return upstream_->is_mapped(); }
    std::optional<Device> device() const noexcept override { return upstream_->device(); }

    std::size_t size() const noexcept { return memory_.size(); }
    std::size_t used() const noexcept {
        const std::lock_guard lock(mutex_);
        return used_;
    }
    std::size_t peak() const noexcept {
        const std::lock_guard lock(mutex_);
        return peak_;
    }
    void rewind(std::size_t position) {
        const std::lock_guard lock(mutex_);
        if (position > used_) {
            throw_misuse("ArenaMemoryResource::rewind(", position, "): only ", used_,
                         " bytes are in use; pass a value of used()");
        }
        used_ = position;
    }

private:
    const Buffer memory_;
    const std::shared_ptr<MemoryResourceBase> upstream_;
    mutable std::mutex mutex_;
    std::size_t used_ = 0;
    std::size_t peak_ = 0;
};

namespace {

std::shared_ptr<detail::Arena> make_arena(const MemoryResource& upstream, StreamRef stream, std::size_t size) {
    if (size == 0) detail::throw_misuse("ArenaMemoryResource: the size is 0, but an arena needs at least 1 byte");
    if (stream.is_capturing() && upstream.base()->is_capturable()) {
        detail::throw_misuse(
            "ArenaMemoryResource: the stream is capturing, so that the memory would belong to its graph: create the "
            "arena in another stream, before the capture");
    }
    return std::make_shared<detail::Arena>(upstream.allocate(stream, size));
}

}  // namespace

ArenaMemoryResource::ArenaMemoryResource(const MemoryResource& upstream, StreamRef stream, std::size_t size)
    : ArenaMemoryResource(make_arena(upstream, stream, size)) {}

ArenaMemoryResource::ArenaMemoryResource(std::shared_ptr<detail::Arena> arena)
    : ResourceHandle(arena), arena_(std::move(arena)) {}

std::size_t ArenaMemoryResource::size() const noexcept {
    return arena_->size();
}

std::size_t ArenaMemoryResource::used() const noexcept {
    return arena_->used();
}

std::size_t ArenaMemoryResource::peak() const noexcept {
    return arena_->peak();
}

void ArenaMemoryResource::rewind(std::size_t position) const {
    arena_->rewind(position);
}

}  // namespace CUBIND_NAMESPACE

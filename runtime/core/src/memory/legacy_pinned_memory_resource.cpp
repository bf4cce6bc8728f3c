// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/legacy_pinned_memory_resource.hpp>

#include <cubind/driver/constants.hpp>
#include <cubind/driver/memory.hpp>

#include "memory/any_context.hpp"
#include "memory/refusals.hpp"
#include "memory/synchronous_memory.hpp"
#include "support/driver.hpp"
#include "support/relaxed_capture_mode.hpp"

namespace cubind {
namespace {

class PinnedMemory final : public detail::SynchronousMemory {
public:
    explicit PinnedMemory(unsigned int flags) noexcept : flags_(flags) {}

    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size) override {
        const detail::AnyContext context;
        const detail::RelaxedCaptureMode mode;
        const auto [status, memory] = driver::cuMemHostAlloc(size, flags_);
        if (status != driver::CUDA_SUCCESS) detail::throw_not_allocated({status, 0}, size, stream, std::nullopt);
        return reinterpret_cast<driver::CUdeviceptr>(memory);
    }
    bool is_host_accessible() const noexcept override { return true; }

private:
    void free(driver::CUdeviceptr pointer) override { check(driver::cuMemFreeHost(reinterpret_cast<void*>(pointer))); }

    unsigned int flags_;
};

std::shared_ptr<MemoryResourceBase> make(const LegacyPinnedMemoryResourceOptions& options) {
    unsigned int flags = 0;
    if (options.portable) flags |= driver::CU_MEMHOSTALLOC_PORTABLE;
    if (options.mapped) flags |= driver::CU_MEMHOSTALLOC_DEVICEMAP;
    if (options.write_combined) flags |= driver::CU_MEMHOSTALLOC_WRITECOMBINED;
    return std::make_shared<PinnedMemory>(flags);
}

}  // namespace

LegacyPinnedMemoryResource::LegacyPinnedMemoryResource(const LegacyPinnedMemoryResourceOptions& options) : MemoryResource(make(options)) {}

}  // namespace cubind

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_memory_resource.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/memory_pool.hpp>
#include <cubind/driver/stream.hpp>

#include <memory>
#include <vector>

#include "calls/driver.hpp"
#include "lifetime/once_per_driver.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/default_memory.hpp"
#include "memory/memory_pool.hpp"
#include "memory/refusals.hpp"

namespace CUBIND_NAMESPACE {
namespace {

/// Allocates from the device's default pool, whose properties the driver copies to the allocation node.
class GraphMemory final : public MemoryResourceBase {
public:
    explicit GraphMemory(Device device) noexcept : device_(device) {}

    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size, std::size_t alignment) override {
        detail::check_driver_alignment(alignment);
        const driver::CUstream handle = detail::StreamAccess::handle(stream);
        if (check(driver::cuStreamIsCapturing(handle)) == driver::CU_STREAM_CAPTURE_STATUS_NONE) {
            detail::throw_misuse("GraphMemoryResource cannot allocate ", size,
                                 " bytes with a stream that is not capturing: pass a GraphBuilder between begin_building() and "
                                 "end_building(), or allocate with Device::allocate()");
        }
        const detail::RelaxedWhileCapturing mode;
        const auto allocated = driver::cuMemAllocFromPoolAsync(size, pool().handle(), handle);
        if (!allocated.ok()) detail::throw_not_allocated(allocated, size, stream, device_, "a node of a graph");
        return allocated.value;
    }
    void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size, std::size_t alignment) override {
        pool().deallocate(stream, pointer, size, alignment);
    }
    bool is_device_accessible() const noexcept override { return true; }
    bool is_host_accessible() const noexcept override { return false; }
    bool is_capturable() const noexcept override { return true; }
    std::optional<Device> device() const noexcept override { return device_; }

private:
    detail::MemoryPool& pool() const { return *detail::DefaultMemory::of(device_).require_pool(device_); }

    Device device_;
};

std::shared_ptr<MemoryResourceBase> memory_of(Device device) {
    (void)detail::DefaultMemory::of(device).require_pool(device);
    using All = std::vector<std::shared_ptr<MemoryResourceBase>>;
    static constinit detail::OncePerDriver<All> all;
    const auto make = [] {
        auto made = std::make_unique<All>();
        for (const Device each : Device::all()) made->push_back(std::make_shared<GraphMemory>(each));
        return made;
    };
    return all.get(make)[static_cast<std::size_t>(device.ordinal())];
}

}  // namespace

GraphMemoryResource::GraphMemoryResource(Device device) : ResourceHandle(memory_of(device)) {}

Device GraphMemoryResource::device() const {
    return *ResourceHandle::device();
}

void GraphMemoryResource::trim() const {
    const detail::RelaxedCaptureMode mode;
    check(driver::cuDeviceGraphMemTrim(device().native_handle()));
}

std::uint64_t GraphMemoryAttributes::get(driver::CUgraphMem_attribute which) const {
    driver::cuuint64_t value = 0;
    const detail::RelaxedCaptureMode mode;
    check(driver::cuDeviceGetGraphMemAttribute(device_.native_handle(), which, &value));
    return value;
}

// The driver accepts only 0.
void GraphMemoryAttributes::reset(driver::CUgraphMem_attribute which) const {
    driver::cuuint64_t zero = 0;
    const detail::RelaxedCaptureMode mode;
    check(driver::cuDeviceSetGraphMemAttribute(device_.native_handle(), which, &zero));
}

}  // namespace CUBIND_NAMESPACE

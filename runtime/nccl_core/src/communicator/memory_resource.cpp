// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/context.hpp>
#include <cubind/nccl/communicators.hpp>
#include <cubind/nccl_core/memory_resource.hpp>

#include <optional>

#include "errors/misuse.hpp"
#include "memory/synchronous_memory.hpp"
#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::nccl {
namespace {

// Freeing waits for the stream, as for other memory that is not of a pool.
class NcclMemory final : public cubind::detail::SynchronousMemory {
public:
    explicit NcclMemory(Device device) noexcept : device_(device) {}

    driver::CUdeviceptr allocate(StreamRef, std::size_t size, std::size_t alignment) override {
        const ScopedContext scope(device_.primary_context());
        const auto address =
            reinterpret_cast<driver::CUdeviceptr>(detail::checked(ncclMemAlloc(size), {"NcclMemoryResource::allocate"}));
        if (address % alignment != 0) {  // memory of devices without virtual memory is aligned less than pages are
            free(address);
            cubind::detail::throw_misuse("NcclMemoryResource: NCCL has no memory at a multiple of ", alignment, " bytes");
        }
        return address;
    }
    bool is_host_accessible() const noexcept override { return false; }
    std::optional<Device> device() const noexcept override { return device_; }

private:
    void free(driver::CUdeviceptr pointer) override {  // NCCL makes the device of the memory current
        detail::checked(ncclMemFree(reinterpret_cast<void*>(pointer)), {"NcclMemoryResource::deallocate"});
    }

    Device device_;
};

}  // namespace

NcclMemoryResource::NcclMemoryResource(Device device) : ResourceHandle(std::make_shared<NcclMemory>(device)) {}

}  // namespace CUBIND_NAMESPACE::nccl

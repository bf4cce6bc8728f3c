// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/memory_resource.hpp>
#include <cubind/driver/types.hpp>

#include <optional>

namespace CUBIND_NAMESPACE::detail {

/// Waits for the work of a stream before its memory is freed, unless the work is captured. A failure is reported to the cleanup
/// handler.
void wait_before_free(StreamRef stream);

/// A memory resource that makes a separate driver call for each allocation. Allocations are not in stream order, and freeing
/// waits for the stream.
class CUBIND_EXPORT SynchronousMemory : public MemoryResourceBase {
public:
    void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size, std::size_t alignment) override;
    bool is_device_accessible() const noexcept override { return true; }

protected:
    /// Frees memory that no submitted work uses.
    virtual void free(driver::CUdeviceptr pointer);
};

/// Device memory for devices without pools (cuMemAlloc, cuMemFree).
class SynchronousDeviceMemory final : public SynchronousMemory {
public:
    explicit SynchronousDeviceMemory(Device device) noexcept : device_(device) {}

    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size, std::size_t alignment) override;
    bool is_host_accessible() const noexcept override { return false; }
    std::optional<Device> device() const noexcept override { return device_; }

private:
    Device device_;
};

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/driver/virtual_memory.hpp>

#include <cstddef>
#include <optional>
#include <string>

#include "calls/driver.hpp"

namespace CUBIND_NAMESPACE::detail {

/// An owner of a handle of physical memory. The driver frees the memory once it has neither handles nor mappings.
class PhysicalHandle {
public:
    explicit PhysicalHandle(driver::CUmemGenericAllocationHandle native) noexcept : native_(native) {}
    PhysicalHandle(const PhysicalHandle&) = delete;
    PhysicalHandle& operator=(const PhysicalHandle&) = delete;
    /// Releases the handle (cuMemRelease).
    ~PhysicalHandle() { report_unless_released(driver::cuMemRelease(native_), "release the handle of physical memory", nullptr); }

    driver::CUmemGenericAllocationHandle native() const noexcept { return native_; }

private:
    driver::CUmemGenericAllocationHandle native_;
};

/// Allocates physical memory (cuMemCreate). `device` is empty for memory of the host. `size` is a multiple of the granularity.
/// Throws OutOfMemory if there is not enough memory; `purpose` completes its message.
PhysicalHandle create_physical_memory(const driver::CUmemAllocationProp& properties, std::size_t size,
                                      std::optional<Device> device, const std::string& purpose);

}  // namespace CUBIND_NAMESPACE::detail

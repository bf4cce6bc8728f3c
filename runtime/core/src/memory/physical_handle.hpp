// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>
#include <cubind/driver/virtual_memory.hpp>

#include "support/driver.hpp"

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

}  // namespace CUBIND_NAMESPACE::detail

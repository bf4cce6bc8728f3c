// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "objects/memory/advice.hpp"
#include "objects/memory/memory_map.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Returns the managed memory that contains the whole range, or null.
std::shared_ptr<Allocation> find_managed(const MemoryMap& memory, driver::CUdeviceptr address, std::size_t bytes);

/// Converts a location. Returns CUDA_ERROR_INVALID_DEVICE if the device does not exist, and CUDA_ERROR_INVALID_VALUE
/// for an unsupported type.
driver::CUresult convert_location(const driver::CUmemLocation& location, const Devices& devices, Advice::Location& result);

/// Returns the location that the first versions of functions identify by one number: a device's ordinal, or
/// CU_DEVICE_CPU.
driver::CUmemLocation location_of(driver::CUdevice device) noexcept;

}  // namespace CUBIND_NAMESPACE::sim

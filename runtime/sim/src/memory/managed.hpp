// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "memory/advice.hpp"
#include "memory/allocation.hpp"

namespace cubind::sim {

/// The managed memory that holds all of a range; null if there is none.
std::shared_ptr<Allocation> find_managed(CUdeviceptr address, std::size_t bytes);

/// What a location means. CUDA_ERROR_INVALID_DEVICE for a device that is not there, CUDA_ERROR_INVALID_VALUE for what is none.
CUresult where_is(const CUmemLocation& location, Advice::Where& where);

/// The location that first forms of functions name by a number: a device's, or the host's.
CUmemLocation location_of(CUdevice device) noexcept;

}  // namespace cubind::sim

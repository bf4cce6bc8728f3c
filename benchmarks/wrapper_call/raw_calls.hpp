// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstddef>

/// The baseline: calls of the driver as a careful program makes them without cubind. Each function calls through a pointer from
/// dlsym and checks the status.
namespace raw {

/// Finds the functions. Exits if one is missing.
void load(const char* library);

cubind::driver::CUresult mem_alloc(cubind::driver::CUdeviceptr* address, std::size_t size) noexcept;
cubind::driver::CUresult device_get_count(int* count) noexcept;
cubind::driver::CUresult mem_get_info(std::size_t* free, std::size_t* total) noexcept;
cubind::driver::CUresult event_record(cubind::driver::CUevent event, cubind::driver::CUstream stream) noexcept;
cubind::driver::CUresult launch_kernel(cubind::driver::CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_memory,
                                       cubind::driver::CUstream stream, void** parameters, void** extra) noexcept;

}  // namespace raw

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "copy/transfer.hpp"

namespace cubind::sim {

/// Where a box lies within an array; the offset in a row counts bytes. CUDA_ERROR_INVALID_VALUE where it is not all in the array,
/// there is no such array, or the array has no memory yet.
CUresult place_in_array(CUarray array, std::size_t x, std::size_t y, std::size_t z, const Extent& extent, Place& place);

}  // namespace cubind::sim

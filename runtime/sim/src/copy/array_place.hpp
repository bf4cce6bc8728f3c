// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "copy/transfer.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Finds a box within an array. `x` counts bytes. Returns CUDA_ERROR_INVALID_VALUE if the array does not exist, has no
/// memory, or does not contain the whole box.
CUresult place_in_array(CUarray array, std::size_t x, std::size_t y, std::size_t z, const BoxExtent& extent, Place& place);

}  // namespace CUBIND_NAMESPACE::sim

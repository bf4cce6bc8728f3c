// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "support/driver.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

/// The driver's description of an array's elements.
struct ArrayFormat {
    CUarray_format format = CU_AD_FORMAT_UNSIGNED_INT8;
    unsigned int channels = 0;
};

/// Converts a channel description. Returns false if no array can have such elements.
bool to_array_format(const cudaChannelFormatDesc& description, ArrayFormat& format) noexcept;

/// Returns the channel description of an array's elements.
cudaChannelFormatDesc to_channel_description(ArrayFormat format) noexcept;

/// Returns the bytes of an element; of a block of compressed formats. 0 for planar formats, whose elements are divided.
std::size_t element_size(ArrayFormat format) noexcept;

}  // namespace CUBIND_NAMESPACE::sim::cudart

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

/// The PTX of a fat binary, or a status and the reason why there is none.
struct FatBinaryPtx {
    CUresult status = CUDA_SUCCESS;
    std::string problem;
    std::string text;
};

/// Compares the beginning of data byte by byte. Stops at the first byte that differs, because the data may be shorter than
/// `beginning`.
bool begins_with(const void* data, std::span<const unsigned char> beginning) noexcept;

/// Returns the size of a fat binary by its header, or 0 if the bytes are no such header. Reads at most 16 bytes, and stops at the
/// first byte that cannot be part of the header.
std::size_t fat_binary_size(const void* data) noexcept;

/// Finds the PTX that a driver compiles for a device of a compute capability (10 * major + minor): of the entries that the device
/// can run, the one for the highest capability. Decompresses it. Reads within bounds for any text.
FatBinaryPtx find_ptx(std::string_view fat_binary, int capability);

}  // namespace CUBIND_NAMESPACE::sim

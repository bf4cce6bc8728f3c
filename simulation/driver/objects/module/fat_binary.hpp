// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE::sim {

/// The code of a fat binary for a device, or a status and the reason why there is none.
struct FatBinaryCode {
    driver::CUresult status = driver::CUDA_SUCCESS;
    std::string problem;
    std::string bytes;  ///< PTX or a cubin
    bool is_cubin = false;
};

/// Compares the beginning of data byte by byte. Stops at the first byte that differs, because the data may be shorter than
/// `beginning`.
bool begins_with(const void* data, std::span<const unsigned char> beginning) noexcept;

/// Returns the size of a fat binary by its header, or 0 if the bytes are no such header. Reads at most 16 bytes, and stops at the
/// first byte that cannot be part of the header.
std::size_t fat_binary_size(const void* data) noexcept;

/// Finds the code for a device of a compute capability (10 * major + minor): the PTX that a driver would compile for it or, if no
/// PTX is for the device and machine code is accepted, the machine code. Of several entries that the device can run, it is the
/// one for the highest capability. Decompresses it. Reads within bounds for any text.
FatBinaryCode find_code(std::string_view fat_binary, int capability, bool accepts_machine_code);

}  // namespace CUBIND_NAMESPACE::sim

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ptx/text/module_interface.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The result of reading a cubin: an image without PTX, or a reason.
struct CubinReading {
    std::string problem;
    ptx::ModuleInterface image;
};

/// Checks for an ELF file for CUDA devices. If the first bytes are those of a 64-bit ELF file, its whole header must be readable.
bool is_cubin(const void* data) noexcept;

/// Returns the size of a cubin by its tables, or 0 if parts of it are not in readable memory. Its header must be readable.
std::size_t cubin_size(const void* data);

/// Reads what the driver API shows of a cubin of CUDA 11 or later: its kernels with their names, parameters and limits, and its
/// variables with their first contents. Reads within bounds for any bytes, in time and memory proportional to their number.
CubinReading read_cubin(std::string_view bytes);

/// Checks whether a device of a compute capability (10 * major + minor) runs machine code. Code with the variant 'a' requires the
/// same capability. Other code requires the same major number, and a minor number that is not lower.
bool can_run_machine_code(int target, char variant, int capability) noexcept;

}  // namespace CUBIND_NAMESPACE::sim

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "objects/device/device.hpp"
#include "ptx/check/check.hpp"
#include "ptx/text/reader.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The result of reading code: an image, or a status and the reason.
struct Code {
    driver::CUresult status = driver::CUDA_SUCCESS;
    std::string problem;
    std::shared_ptr<const ptx::ModuleInterface> image;
    bool is_for_other_device = false;
};

/// The driver and the devices that are to run code.
struct CodeTarget {
    int release = 0;         ///< of the driver
    int capability = 0;      ///< compute capability of the devices: 10 * major + minor
    bool is_linked = false;  ///< whether the code is linked: machine code in a fat binary is then ignored
};

/// The size to pass if only the begin of the code is known. PTX ends with NUL, and other formats state their size.
constexpr std::size_t unknown_size = ~std::size_t{0};

/// Reads PTX, a cubin, a fat binary, or the structure of nvcc that has the address of a fat binary. Rejects machine code of other
/// devices, and PTX that is newer than the driver of this release supports. Of a fat binary, reads the PTX that a driver would
/// compile for the devices or, without such PTX, the machine code.
Code read_code(const void* data, std::size_t size, const CodeTarget& target);

/// Reads a text that can only be PTX, up to its end or a NUL.
Code read_ptx(std::string_view text, int release);

/// Sets an error if the device cannot run the code, or if the code has mistakes beyond its syntax.
void check_code(Code& code, const Device& device, ptx::Externals externals = ptx::Externals::must_exist);

/// Returns the status of code that a program uses. Code for another device or a later driver is reported on the standard error
/// stream, each reason once, because programs that do not check the status would compute nothing without a word.
driver::CUresult status_of_use(const Code& code);

/// Reads a file, and appends enough NULs for a check of a binary header. Returns CUDA_ERROR_FILE_NOT_FOUND if the file cannot be
/// opened, and CUDA_ERROR_OUT_OF_MEMORY if it cannot be read.
driver::CUresult read_file(const char* path, std::string& text);

}  // namespace CUBIND_NAMESPACE::sim

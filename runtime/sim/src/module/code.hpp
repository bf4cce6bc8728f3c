// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "device/device.hpp"
#include "ptx/reader.hpp"

namespace cubind::sim {

/// What became of code that a program gave: an image, or a status and the reason.
struct Code {
    CUresult status = CUDA_SUCCESS;
    std::string problem;
    std::shared_ptr<const ptx::Image> image;
};

/// Reads what lies at `data`: PTX that ends with NUL. Machine code is refused.
Code read_code(const void* data);

/// The same for what can only be PTX, up to its end or a NUL.
Code read_ptx(std::string_view text);

/// Refuses code that the device cannot run.
void check_target(Code& code, const Device& device);

/// What is in a file, with so many NULs behind it that a header may be looked for. False if there is none that can be read.
bool read_file(const char* path, std::string& text);

}  // namespace cubind::sim

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <string_view>

#include "ptx/text/module_interface.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// The result of reading a text: an image, or a status and the reason.
struct ReadResult {
    driver::CUresult status = driver::CUDA_SUCCESS;
    std::string problem;
    ModuleInterface image;
};

/// Reads PTX up to its end or a NUL. Its version must be at most `newest_version` (1000 * major + 10 * minor). Reads
/// within bounds for any text, and the memory use is proportional to its length.
ReadResult read(std::string_view text, int newest_version);

/// Checks whether a text is meant to be PTX: its first token after comments is .version.
bool looks_like_ptx(std::string_view text);

}  // namespace CUBIND_NAMESPACE::sim::ptx

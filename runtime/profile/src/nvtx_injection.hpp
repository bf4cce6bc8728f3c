// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>

namespace CUBIND_NAMESPACE::profile::detail {

/// Makes CUPTI the tool that receives ranges and marks of NVTX in this process. Returns "" or a sentence that says why ranges
/// will be missing. `library` is the path of CUPTI.
std::string send_ranges_to_cupti(const char* library);

}  // namespace CUBIND_NAMESPACE::profile::detail

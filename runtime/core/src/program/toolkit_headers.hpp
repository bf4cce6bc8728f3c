// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// Returns the folders with the headers of the CUDA toolkit, such as cuda_fp16.h and those of CCCL, for the NVRTC at this path.
/// They are beside it in a toolkit, a wheel or a conda environment, else in the toolkit that CUDA_PATH or CUDA_HOME names. Empty
/// if there are none.
std::vector<std::string> toolkit_headers(const std::string& nvrtc_path);

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// Returns the folders with the headers of the CUDA toolkit, such as cuda_fp16.h and the headers of CCCL, for the NVRTC at this
/// path. In a toolkit, a wheel or a conda environment, these folders are beside NVRTC. If there are none beside it, returns the
/// folders of the toolkit that CUDA_PATH or CUDA_HOME names. The list is empty if neither exists.
std::vector<std::string> toolkit_headers(const std::string& nvrtc_path);

}  // namespace CUBIND_NAMESPACE::detail

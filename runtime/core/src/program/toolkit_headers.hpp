// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace cubind::detail {

/// The folders with the headers of the CUDA toolkit that belong to the NVRTC at this path, such as cuda_fp16.h and those of CCCL: beside
/// it in a toolkit, in a wheel or in a conda environment, else where CUDA_PATH or CUDA_HOME say. None where there are none.
std::vector<std::string> toolkit_headers(const std::string& nvrtc_path);

}  // namespace cubind::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// The headers of the CUDA toolkit that belong to an NVRTC.
struct ToolkitHeaders {
    std::vector<std::string> folders = {};  ///< for the compiler's include path; empty if there are none
    std::vector<std::string> refused = {};  ///< one sentence for each folder that must not be used, with the reason
    int release = 0;                        ///< 13040 for headers of CUDA 13.4; 0 if unknown
    bool has_cccl = false;                  ///< whether the folders have CCCL: cub, thrust and cuda::std
};

/// Returns the folders with the headers of the CUDA toolkit, such as cuda_fp16.h and the headers of CCCL, for the NVRTC at this
/// path. In a toolkit, a wheel or a conda environment, these folders are beside NVRTC. If there are none beside it, returns the
/// folders of the toolkit that CUDA_PATH or CUDA_HOME names, or of the default toolkit if its release is NVRTC's. If the found
/// headers lack CCCL, such as those of the wheel nvidia-cuda-runtime, adds the CCCL of another toolkit of NVRTC's release.
/// Refuses folders to which other users can write (trust_problem()), and folders of another major release than NVRTC's. Throws
/// std::bad_alloc if memory or file descriptors are exhausted.
CUBIND_EXPORT ToolkitHeaders toolkit_headers(const std::string& nvrtc_path, int nvrtc_release,
                                             const std::string& default_toolkit = "/usr/local/cuda");

}  // namespace CUBIND_NAMESPACE::detail

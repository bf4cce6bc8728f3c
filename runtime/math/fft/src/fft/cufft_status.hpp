// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/cufft/status.hpp>

#include <string>

#include "plan/checked.hpp"

namespace CUBIND_NAMESPACE::math::detail {

template <>
struct StatusTraits<cufft::cufftResult> {
    static constexpr const char* package = "nvidia-cufft";
    static constexpr cufft::cufftResult out_of_memory = cufft::CUFFT_ALLOC_FAILED;
    static std::string advice(cufft::cufftResult status) {
        switch (status) {
            case cufft::CUFFT_ALLOC_FAILED:
                return "Free memory of the device, or transform fewer elements at once.";
            case cufft::CUFFT_MISSING_DEPENDENCY:
            case cufft::CUFFT_NVRTC_FAILURE:
            case cufft::CUFFT_NVJITLINK_FAILURE:
                return "cuFFT itself compiles and links for callbacks and a scale: install the Python packages nvidia-cuda-nvrtc "
                       "and nvidia-nvjitlink, of the release of the NVRTC that cubind uses or of a later one.";
            case cufft::CUFFT_INVALID_SIZE:
            case cufft::CUFFT_NOT_SUPPORTED:
            case cufft::CUFFT_NOT_IMPLEMENTED:
                return "This cuFFT does not support the transform: change its extents, types or layout.";
            case cufft::CUFFT_SETUP_FAILED:
                return "Check that the driver is as new as cuFFT's release of CUDA.";
            default:
                return {};
        }
    }
};

}  // namespace CUBIND_NAMESPACE::math::detail

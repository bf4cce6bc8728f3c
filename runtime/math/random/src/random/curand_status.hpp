// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/curand/status.hpp>

#include <string>

#include "plan/checked.hpp"

namespace CUBIND_NAMESPACE::math::detail {

template <>
struct StatusTraits<curand::curandStatus_t> {
    static constexpr const char* package = "nvidia-curand";
    static constexpr curand::curandStatus_t out_of_memory = curand::CURAND_STATUS_ALLOCATION_FAILED;
    static std::string advice(curand::curandStatus_t status) {
        switch (status) {
            case curand::CURAND_STATUS_ALLOCATION_FAILED:
                return "Free memory of the device.";
            case curand::CURAND_STATUS_TYPE_ERROR:
            case curand::CURAND_STATUS_OUT_OF_RANGE:
                return "This generator does not have the distribution or the option: choose another generator.";
            case curand::CURAND_STATUS_PREEXISTING_FAILURE:
                return "An earlier call or kernel of the context has failed: look there for the cause.";
            case curand::CURAND_STATUS_INITIALIZATION_FAILED:
            case curand::CURAND_STATUS_ARCH_MISMATCH:
                return "Check that cuRAND's release of CUDA supports the driver and the device.";
            default:
                return {};
        }
    }
};

}  // namespace CUBIND_NAMESPACE::math::detail

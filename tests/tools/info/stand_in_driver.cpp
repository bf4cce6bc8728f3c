// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for libcuda with fixed devices. Environment variables set the results of its functions.
#include <cubind/driver/types.hpp>

#include <cstdio>

#include "stand_in.hpp"

using namespace cubind::driver;

extern "C" {

CUresult cuInit(unsigned int) {
    return static_cast<CUresult>(number_from("STAND_IN_INIT", CUDA_SUCCESS));
}

CUresult cuDriverGetVersion(int* version) {
    *version = number_from("STAND_IN_DRIVER", 13000);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
    *count = number_from("STAND_IN_DEVICES", 1);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    *device = ordinal;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
    std::snprintf(name, static_cast<std::size_t>(length), "Stand-in %d", device);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
    const int architecture = number_from("STAND_IN_ARCHITECTURE", 90);
    *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? architecture / 10 : architecture % 10;
    return CUDA_SUCCESS;
}

}  // extern "C"

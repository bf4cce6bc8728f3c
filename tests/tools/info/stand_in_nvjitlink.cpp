// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for nvJitLink. If it stands in for a release before CUDA 12.3, it lacks the function that reports the version.
#include <cubind/nvjitlink/types.hpp>

#include "stand_in.hpp"

using namespace cubind::nvjitlink;

extern "C" {

#ifndef STAND_IN_WITHOUT_VERSION
nvJitLinkResult nvJitLinkVersion(unsigned int* major, unsigned int* minor) {
    const int version = number_from("STAND_IN_NVJITLINK", 13000);
    *major = static_cast<unsigned>(version / 1000);
    *minor = static_cast<unsigned>(version % 1000 / 10);
    return NVJITLINK_SUCCESS;
}
#endif

nvJitLinkResult __nvJitLinkDestroy_12_0(nvJitLinkHandle*) {
    return NVJITLINK_SUCCESS;
}

}  // extern "C"

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for libcudart of major STAND_IN_MAJOR.
#include <cubind/runtime/types.hpp>

using namespace cubind::runtime;

extern "C" {

cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = STAND_IN_MAJOR * 1000 + 40;
    return cudaSuccess;
}

const char* cudaGetErrorName(cudaError_t error) {
    return error == cudaErrorNoDevice ? "stand-in name" : "";
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

}  // extern "C"

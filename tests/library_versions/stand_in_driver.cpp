// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A libcuda.so.1 of the release STAND_IN_VERSION. It exports exactly the symbols of the API that this release has: SYMBOLS and
// those below.
#include <cstddef>

extern "C" {

[[gnu::visibility("hidden")]] int stand_in_success() noexcept {
    return 0;
}

int cuInit(unsigned int flags) {
    return flags == 0 ? 0 : 1;  // CUDA_ERROR_INVALID_VALUE
}

int cuDriverGetVersion(int* version) {
    *version = STAND_IN_VERSION;
    return 0;
}

int cuDeviceGetCount(int* count) {
    *count = STAND_IN_VERSION % 1000 / 10 + 1;
    return 0;
}

// The addresses differ from all other numbers in the tests.
int cuMemAlloc_v2(unsigned long long* memory, std::size_t size) {
    *memory = 0xc0de'0000'0000 + size;
    return size < 1000 ? 0 : 2;  // CUDA_ERROR_OUT_OF_MEMORY
}

int cuMemFree_v2(unsigned long long memory) {
    return memory == 0 || memory >> 32 == 0xc0de ? 0 : 1;
}

// All other functions succeed and write nothing.
#define SYMBOL(name) int name() noexcept __attribute__((alias("stand_in_success")));
#include SYMBOLS

}  // extern "C"

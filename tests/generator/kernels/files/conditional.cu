// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// define: WITH_EXTRA=1

#ifdef __CUDACC_RTC__
__global__ void compiled_at_run_time(int* p) {}
#else
#include <cstdio>
#endif
#if defined(__linux__) || defined(__GNUC__) || defined(_WIN32)
#error the host's macros are defined
#endif
#if WITH_EXTRA
__global__ void extra(int* p) {}
#endif
#if __CUDA_ARCH__ >= 900
__global__ void recent(int* p) {}
#endif

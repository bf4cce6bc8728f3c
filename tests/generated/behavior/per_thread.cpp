// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include "per_thread.hpp"

#include <cubind/driver/driver_entry_point.hpp>
#include <cubind/driver/loading.hpp>

namespace cubind::testing::per_thread {

void* get_proc_address(unsigned long long flags) {
    return cubind::driver::cuGetProcAddress("cuInit", 12000, flags).value1;
}

bool has_get_proc_address() {
    return cubind::driver::has(cubind::driver::cuGetProcAddress);
}

}  // namespace cubind::testing::per_thread

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Succeeds with and without a driver.
#include <cubind/driver.hpp>
#include <cubind/failure.hpp>

#include <cstdio>

#ifdef HAS_CORE
#include <cubind/core.hpp>
#endif

int main() {
    const auto status = cubind::driver::cuInit(0).status;
    std::printf("cuInit: %s\n", to_string(status));
#ifdef HAS_CORE
    if (cubind::blocks_for(1000, 256) != 4) return 1;
#endif
    return 0;
}

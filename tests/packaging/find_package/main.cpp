// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A minimal program that links cubind::driver.
#include <cubind/driver/initialize.hpp>
#include <cubind/driver/strings.hpp>

#include <cstdio>

int main() {
    auto [status] = cubind::driver::cuInit(0);
    std::printf("%s %s\n", cubind::driver::to_string(cubind::driver::CUDA_ERROR_OUT_OF_MEMORY),
                cubind::driver::to_string(status));
}

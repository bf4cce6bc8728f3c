// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "scale.cu.hpp"

extern "C" void print_kernel() {
    std::printf("%s\n", kernels::scale.symbol().c_str());
}

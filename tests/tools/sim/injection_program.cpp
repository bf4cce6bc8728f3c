// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Initializes the driver that it is linked to, so that it works as a setuid program, too.
#include <cstdio>

extern "C" int cuInit(unsigned flags);

int main() {
    const int first = cuInit(1), second = cuInit(0), third = cuInit(0);
    std::printf("initialized %d %d %d\n", first, second, third);
}

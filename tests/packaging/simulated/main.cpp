// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver.hpp>
#include <cubind/sim/install.hpp>

// Leaks its memory, which the layer `leaks` reports.
int main() {
    cubind::sim::install();
    using namespace cubind::driver;
    const bool is_ready = cuInit(0).ok() && cuCtxCreate_v2(0, 0).ok();
    return is_ready && cuMemAlloc(64).ok() ? 0 : 1;
}

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver.hpp>
#include <cubind/sim/install.hpp>

// Leaves its memory behind, which a layer is to say.
int main() {
    cubind::sim::install();
    using namespace cubind::driver;
    const bool ready = cuInit(0).ok() && cuCtxCreate_v2(0, 0).ok();
    return ready && cuMemAlloc(64).ok() ? 0 : 1;
}

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A program that starts no layer. It makes some calls of the simulated driver and one more when its static objects are destroyed.
#include <cubind/driver.hpp>
#include <cubind/sim/install.hpp>

#include <cstdio>

using namespace cubind::driver;

namespace {

void print(const char* what, CUresult status) {
    std::printf("%s: %s\n", what, to_string(status));
}

struct CallAtExit {
    CallAtExit() = default;
    ~CallAtExit() { print("at exit", cuDriverGetVersion().status); }
};

const CallAtExit call_at_exit;  // created before the layers' own objects and destroyed after them

}  // namespace

int main() {
    cubind::sim::install({.devices = 1});
    print("init", cuInit(0).status);
    cuCtxCreate_v2(0, 0);  // a leak, like all following objects except the memory of the first call
    const auto [first, memory] = cuMemAlloc(64);
    print("first", first);
    print("second", cuMemAlloc(128).status);
    cuMemFree(memory);
    print("unknown", cuStreamSynchronize(reinterpret_cast<CUstream>(0x4440)).status);
    cuStreamCreate(CU_STREAM_NON_BLOCKING);
}

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A program that asks for no layer, makes some calls on the simulated driver, and one more when its objects are destroyed at the end.
#include <cstdio>

#include <cubind/driver.hpp>
#include <cubind/sim/install.hpp>

using namespace cubind::driver;

namespace {

void say(const char* what, CUresult status) {
    std::printf("%s: %s\n", what, to_string(status));
}

struct AtTheEnd {
    AtTheEnd() = default;
    ~AtTheEnd() {
        say("at the end", cuDriverGetVersion().status);
    }
};

const AtTheEnd at_the_end;  // is made before the layers' own objects, and destroyed after them

}  // namespace

int main() {
    cubind::sim::install({.devices = 1});
    say("init", cuInit(0).status);
    cuCtxCreate_v2(0, 0);  // leaks, as does what follows but for the memory of the first call
    const auto [first, memory] = cuMemAlloc(64);
    say("first", first);
    say("second", cuMemAlloc(128).status);
    cuMemFree(memory);
    say("unknown", cuStreamSynchronize(reinterpret_cast<CUstream>(0x4440)).status);
    cuStreamCreate(CU_STREAM_NON_BLOCKING);
}

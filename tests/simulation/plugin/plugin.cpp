// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A plugin that contains the simulated driver. plugin_tests.cpp loads and unloads it.

#include <cubind/driver.hpp>
#include <cubind/sim/install.hpp>

using namespace cubind::driver;

namespace {

constexpr const char* ptx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry endless() { AGAIN: bra AGAIN; })";

bool launch_endless_kernel() {
    cubind::sim::install({.shutdown_seconds = 0});
    if (!cuInit(0).ok() || !cuCtxCreate_v2(0, 0).ok()) return false;
    const auto [loaded, module] = cuModuleLoadData(ptx);
    const CUfunction kernel = cuModuleGetFunction(module, "endless").value;
    return cuLaunchKernel(kernel, 8, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr).ok();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) bool cubind_test_launch() {
    return launch_endless_kernel();
}

extern "C" __attribute__((visibility("default"))) void cubind_test_uninstall() {
    cubind::sim::uninstall();
}

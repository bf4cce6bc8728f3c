// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the examples share, none of it specific to one of them: exit codes and the search for a GPU.

#include <cubind/check.hpp>
#include <cubind/driver.hpp>
#include <cubind/failure.hpp>

#include <cstdio>
#include <exception>
#include <string>

namespace example {

namespace driver = cubind::driver;
using cubind::check;

// ---- exit codes ----------------------------------------------------------------------------------------------------

constexpr int passed = 0;
constexpr int failed = 1;
constexpr int skipped = 77;  // what test runners take for "could not be tried here"

/// Runs the example's body, which returns one of the codes above. An exception is printed and means failed.
template <class Body>
int run(Body body) {
    try {
        return body();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return failed;
    }
}

/// Prints whether the example's own check of its result held, and returns the exit code for it.
inline int verdict(bool right) {
    std::puts(right ? "Passed." : "FAILED.");
    return right ? passed : failed;
}

// ---- the GPU -------------------------------------------------------------------------------------------------------

struct Gpu {
    bool usable = false;
    std::string missing;               // why it is not usable
    driver::CUdevice device = 0;       // a handle of the driver API; the runtime API takes the same number
    std::string architecture = "90";   // compute capability without the dot; without a GPU something to compile for
};

/// Why the driver's call failed: the first line of what the loader found out, or what the driver said.
inline std::string reason(driver::CUresult status) {
    const cubind::Failure& failure = cubind::last_failure();
    const std::string detail = failure.detail;
    if (!detail.empty()) return detail.substr(0, detail.find('\n'));
    return std::string(failure.function) + " gave " + to_string(status) + ": " + describe(status);
}

/// The first GPU. Whoever has none learns why: this function throws nothing for that.
inline Gpu first_gpu() {
    Gpu gpu;
    if (const auto [status] = driver::cuInit(0); status != driver::CUDA_SUCCESS) {
        gpu.missing = reason(status);
        return gpu;
    }
    if (check(driver::cuDeviceGetCount()) == 0) {
        gpu.missing = "the driver sees no GPU (is CUDA_VISIBLE_DEVICES empty?).";
        return gpu;
    }
    gpu.device = check(driver::cuDeviceGet(0));
    const auto attribute = [&](driver::CUdevice_attribute which) {
        return std::to_string(check(driver::cuDeviceGetAttribute(which, gpu.device)));
    };
    gpu.architecture = attribute(driver::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                       attribute(driver::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    gpu.usable = true;
    return gpu;
}

/// Says in one sentence that there is no GPU, and returns the exit code for that.
inline int skip(const Gpu& gpu) {
    std::printf("Skipped, because no GPU can be used here: %s\n", gpu.missing.c_str());
    return skipped;
}

}  // namespace example

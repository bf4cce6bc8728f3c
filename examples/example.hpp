// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Code that all examples share: exit codes and the search for a GPU.

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
constexpr int skipped = 77;  // test runners report this code as a skipped test

/// Runs the example's body and returns its exit code. Prints an exception and returns `failed` if the body throws.
template <class Body>
int run(Body body) {
    try {
        return body();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return failed;
    }
}

/// Prints whether the example's result is correct and returns the exit code.
inline int verdict(bool is_correct) {
    std::puts(is_correct ? "Passed." : "FAILED.");
    return is_correct ? passed : failed;
}

// ---- the GPU -------------------------------------------------------------------------------------------------------

/// A GPU, or the reason why there is none.
struct Gpu {
    bool usable = false;              // whether there is a GPU
    std::string missing;              // why there is none
    driver::CUdevice device = 0;      // handle of the driver API; the runtime API uses the same number
    std::string architecture = "90";  // compute capability without the dot; a default to compile for if there is no GPU
};

/// Returns why the driver's call failed: the first line of the loader's message, or the description of the status.
inline std::string reason(driver::CUresult status) {
    const cubind::Failure& failure = cubind::last_failure();
    const std::string detail = failure.detail;
    if (!detail.empty()) return detail.substr(0, detail.find('\n'));
    return std::string(failure.function) + " returned " + to_string(status) + ": " + describe(status);
}

/// Returns the first GPU. Does not throw if there is none; Gpu::missing then contains the reason.
inline Gpu first_gpu() {
    Gpu gpu;
    if (const auto [status] = driver::cuInit(0); status != driver::CUDA_SUCCESS) {
        gpu.missing = reason(status);
        return gpu;
    }
    if (check(driver::cuDeviceGetCount()) == 0) {
        gpu.missing = "the driver reports no GPU; check that CUDA_VISIBLE_DEVICES does not hide it.";
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

/// Prints why there is no GPU and returns the exit code for a skipped example.
inline int skip(const Gpu& gpu) {
    std::printf("Skipped, because no GPU can be used here: %s\n", gpu.missing.c_str());
    return skipped;
}

}  // namespace example

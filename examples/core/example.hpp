// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the examples share, none of it about CUDA: exit codes, and what is said at the end.

#include <cubind/core/device.hpp>
#include <cubind/error.hpp>

#include <cstdio>
#include <exception>
#include <string>

namespace example {

constexpr int passed = 0;
constexpr int failed = 1;
constexpr int skipped = 77;  // what test runners take for "could not be tried here"

/// Says why the example cannot be tried here, and returns the exit code for that.
inline int skip(const std::string& why) {
    std::printf("Skipped: %s\n", why.c_str());
    return skipped;
}

/// Says what was checked and whether it held, and returns the exit code for it.
inline int verdict(bool right, const char* what_was_checked) {
    std::printf("Checked: %s. %s\n", what_was_checked, right ? "Passed." : "FAILED.");
    return right ? passed : failed;
}

/// Why there is no GPU to work with; empty where there is one.
inline std::string missing_gpu() {
    try {
        return cubind::Device::count() > 0 ? "" : "the driver sees no GPU (is CUDA_VISIBLE_DEVICES empty?).";
    } catch (const cubind::Error& error) {
        const std::string message = error.what();
        return message.substr(0, message.find('\n'));
    }
}

/// Runs the example's body, which returns one of the codes above, unless there is no GPU. An exception is printed and means failed.
template <class Body>
int run(Body body) {
    if (const std::string missing = missing_gpu(); !missing.empty()) return skip("no GPU can be used here: " + missing);
    try {
        return body();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return failed;
    }
}

}  // namespace example

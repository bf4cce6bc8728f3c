// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Shared parts of the examples that do not concern CUDA: exit codes and the output at the end.

#include <cubind/core/device/device.hpp>
#include <cubind/error.hpp>
#include <cubind/library.hpp>

#include <cstdio>
#include <exception>
#include <string>

namespace example {

constexpr int passed = 0;
constexpr int failed = 1;
constexpr int skipped = 77;  // the exit code that test runners report as skipped

/// Prints why the example cannot run on this machine, and returns the exit code for that.
inline int skip(const std::string& why) {
    std::printf("Skipped: %s\n", why.c_str());
    return skipped;
}

/// Prints what was checked and whether the check passed, and returns the exit code.
inline int verdict(bool right, const char* what_was_checked) {
    std::printf("Checked: %s. %s\n", what_was_checked, right ? "Passed." : "FAILED.");
    return right ? passed : failed;
}

/// Returns why no GPU can be used, or an empty string if there is one.
inline std::string missing_gpu() {
    try {
        return cubind::Device::count() > 0 ? "" : "the driver found no device (is CUDA_VISIBLE_DEVICES empty?).";
    } catch (const cubind::Error& error) {
        const std::string message = error.what();
        return message.substr(0, message.find('\n'));
    }
}

/// Runs the body of the example, which returns one of the codes above. Without a GPU, the example is skipped. If the body
/// throws, the message is printed and the example has failed.
template <class Body>
int run(Body body) {
    if (const std::string missing = missing_gpu(); !missing.empty()) return skip("no GPU can be used: " + missing);
    try {
        return body();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return failed;
    }
}

/// Runs the body like run(). Without the library, which the package has, the example is skipped.
template <class Body>
int run_with(cubind::Library& library, const char* package, Body body) {
    if (cubind::library_path(library) == nullptr)
        return skip(std::string("the library ") + library.name + " was not found. It is in the Python package " + package + ".");
    return run(body);
}

}  // namespace example

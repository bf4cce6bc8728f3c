// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// A process that gets as far as a current context through cubind, and says when it was there, in nanoseconds of the monotonic clock.
/// plain.c does the same without cubind.

#include <cubind/core/device.hpp>
#include <cubind/error.hpp>

#include <cstdio>
#include <ctime>

int main() {
    try {
        cubind::Device().set_current();
    } catch (const cubind::Error& error) {
        std::fprintf(stderr, "no GPU: %s\n", error.what());
        return 77;
    }
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    std::printf("%lld\n", static_cast<long long>(now.tv_sec) * 1'000'000'000 + now.tv_nsec);
    return 0;
}

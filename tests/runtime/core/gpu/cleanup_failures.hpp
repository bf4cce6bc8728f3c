// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/lifetime/cleanup.hpp>

#include <atomic>
#include <cstdio>

namespace cubind::testing {

/// The number of failures since count_cleanup_failures().
inline std::atomic<int> cleanup_failures{0};

/// Installs a cleanup handler that prints and counts the failures.
inline void count_cleanup_failures() {
    set_cleanup_handler([](const char* message) noexcept {
        ++cleanup_failures;
        std::fprintf(stderr, "%s\n", message);
    });
}

}  // namespace cubind::testing

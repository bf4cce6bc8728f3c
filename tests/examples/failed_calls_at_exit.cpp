// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Linked into examples on the simulated driver. The program fails if a call of the driver or of a compiler fails and no exception
// follows. A sanitizer or a debugger would report such a call, although the example is correct.

#include <cstdio>
#include <cstdlib>

#include "exceptions.hpp"
#include "failed_calls.hpp"

void cubind::testing::forget_failed_calls() noexcept {
    FailedCalls::get().forget();
}

namespace {

using cubind::testing::FailedCalls;

void report() {
    const std::string calls = FailedCalls::get().take();
    if (calls.empty()) return;
    std::fprintf(stderr, "calls of a correct program failed:\n%s", calls.c_str());
    std::fflush(nullptr);
    std::_Exit(1);
}

// The layer stays active if the simulated driver is installed later. report() runs after the destruction of static objects that
// are created later.
[[maybe_unused]] const bool is_started = [] {
    std::atexit(report);
    cubind::layers::push(FailedCalls::get());
    return true;
}();

}  // namespace

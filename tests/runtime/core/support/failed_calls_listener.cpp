// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Linked into the tests of the high-level layer. A test fails if a call of the driver or of a compiler fails and neither an
// exception nor a message follows on that thread. A sanitizer or a debugger would report such a call of a correct program.

#include <gtest/gtest.h>

#include "exceptions.hpp"
#include "failed_calls.hpp"

namespace cubind::testing {

void forget_failed_calls() noexcept {
    FailedCalls::get().forget();
}

namespace {

class FailedCallListener final : public ::testing::EmptyTestEventListener {
    void OnTestStart(const ::testing::TestInfo&) override {
        if (!layers::is_on(FailedCalls::get())) layers::push(FailedCalls::get());
    }
    void OnTestEnd(const ::testing::TestInfo&) override {
        const std::string calls = FailedCalls::get().take();
        if (!calls.empty()) ADD_FAILURE() << "calls failed without an exception or a message:\n" << calls;
    }
};

[[maybe_unused]] const bool is_listening = [] {
    ::testing::UnitTest::GetInstance()->listeners().Append(new FailedCallListener);
    return true;
}();

}  // namespace

}  // namespace cubind::testing

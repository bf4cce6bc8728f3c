// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Linked into the tests of the high-level layer: a test fails if a call of the driver or of a compiler failed in it and neither
// an exception nor a message followed on that thread. Such a call is one that a correct program makes.

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
        if (!calls.empty()) ADD_FAILURE() << "calls failed, and the program did not learn of it:\n" << calls;
    }
};

[[maybe_unused]] const bool is_listening = [] {
    ::testing::UnitTest::GetInstance()->listeners().Append(new FailedCallListener);
    return true;
}();

}  // namespace

}  // namespace cubind::testing

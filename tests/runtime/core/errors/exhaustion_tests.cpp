// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/driver/initialize.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/sim/gtest.hpp>

#include <gtest/gtest.h>

#include <new>
#include <string>

#include "exhausted_memory.hpp"

namespace cubind::testing {
namespace {

class ErrorExhaustionTest : public sim::DriverTest {};

TEST_F(ErrorExhaustionTest, LosesTheLogOfTheDriverBeforeTheError) {
    ASSERT_TRUE(driver::cuInit(0).ok());
    enum class Outcome { none, error, error_with_log, no_memory };
    long errors_without_log = 0;
    Outcome outcome = Outcome::none;
    const auto fail = [&] {
        try {
            check(driver::cuMemFree(7));
        } catch (const Error& error) {
            outcome = error.driver_log().empty() ? Outcome::error : Outcome::error_with_log;
        } catch (const std::bad_alloc&) {
            outcome = Outcome::no_memory;
        }
    };
    fail();
    ASSERT_EQ(outcome, Outcome::error_with_log);
    const auto count = [&](bool was_exhausted) { errors_without_log += was_exhausted && outcome == Outcome::error; };
    EXPECT_GT(exhaust(fail, count, Shortage::transient), 5);
    EXPECT_GT(errors_without_log, 4) << "the buffer, the lines of the thread, and the message with the log";
    EXPECT_EQ(outcome, Outcome::error_with_log) << "with enough memory";
}

}  // namespace
}  // namespace cubind::testing

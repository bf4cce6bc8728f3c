// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/driver/strings.hpp>
#include <cubind/failure.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdlib.h>
#include <string>
#include <tuple>
#include <type_traits>

#include "example_library.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(CheckTest, ReturnsNothingOrTheValueOrATuple) {
    static_assert(std::is_void_v<decltype(check(Result<Status>{}))>);
    static_assert(std::is_same_v<decltype(check(Result<Status, int>{})), int>);
    static_assert(std::is_same_v<decltype(check(Result<Status, int, char>{})), std::tuple<int, char>>);
    check(Result<Status>{done});
    EXPECT_EQ(check(Result<Status, int>{done, 7}), 7);
    auto [number, letter] = check(Result<Status, int, char>{done, 8, 'c'});
    EXPECT_EQ(number, 8);
    EXPECT_EQ(letter, 'c');
    EXPECT_EQ(std::tuple_size_v<decltype(check(Result<Status, int, int, int, int, int, int>{}))>, 6u);
}

TEST(CheckTest, ThrowsTheStatusWithNumberAndName) {
    try {
        check(Result<Status, int>{failed, 7});
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), failed);
        EXPECT_EQ(error.code().value(), 5);
        EXPECT_EQ(error.name(), "failed");
        EXPECT_EQ(error.library(), "example") << "derived from the type of the status";
        EXPECT_EQ(error.function(), "");
        EXPECT_THAT(error.what(), AllOf(HasSubstr("failed"), HasSubstr("5"), HasSubstr("The example fails.")));
    }
}

TEST(CheckTest, ThrowsForEveryShape) {
    EXPECT_THROW(check(Result<Status>{failed}), Error);
    EXPECT_THROW(check(Result<Status, int>{failed, 1}), Error);
    EXPECT_THROW(check(Result<Status, int, int>{failed, 1, 2}), Error);
    EXPECT_THROW(check(Result<Status>{failed}), std::runtime_error) << "Error is derived from it";
}

TEST(CheckTest, NamesTheFailedFunctionAndItsLibrary) {
    setenv("CUBIND_DRIVER_LIBRARY", STAND_IN, 1);
    EXPECT_EQ(check(driver::cuMemAlloc(64)), driver::CUdeviceptr{0x40});
    try {
        check(driver::cuMemAlloc(1000));
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.library(), "driver");
        EXPECT_EQ(error.function(), "cuMemAlloc_v2");
        EXPECT_EQ(error.code(), driver::CUDA_ERROR_OUT_OF_MEMORY);
        EXPECT_EQ(error.name(), "CUDA_ERROR_OUT_OF_MEMORY");
        EXPECT_THAT(error.what(), AllOf(HasSubstr("cuMemAlloc_v2"), HasSubstr("CUDA_ERROR_OUT_OF_MEMORY"), HasSubstr("(2)"),
                                        HasSubstr(driver::describe(driver::CUDA_ERROR_OUT_OF_MEMORY))));
    }
}

TEST(CheckTest, DescribesAMissingSymbol) {
    setenv("CUBIND_DRIVER_LIBRARY", STAND_IN, 1);
    try {
        check(driver::cuMemFree(0));
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.function(), "cuMemFree_v2");
        EXPECT_EQ(error.code(), driver::CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND);
        EXPECT_THAT(error.what(), AllOf(HasSubstr("cuMemFree_v2"), HasSubstr(STAND_IN), HasSubstr("3.2")));
    }
}

TEST(CheckTest, DescribesAMissingLibrary) {
    setenv("CUBIND_DRIVER_LIBRARY", "/no/such/library", 1);
    try {
        check(driver::cuMemAlloc(64));
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), driver::CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
        EXPECT_THAT(error.what(), AllOf(HasSubstr("/no/such/library"), HasSubstr("CUBIND_DRIVER_LIBRARY")));
    }
}

TEST(CheckTest, DoesNotNameALaterFailureForAnOldResult) {
    setenv("CUBIND_DRIVER_LIBRARY", STAND_IN, 1);
    const Result<Status> old{failed};
    EXPECT_EQ(driver::cuMemAlloc(1000).status, driver::CUDA_ERROR_OUT_OF_MEMORY);
    try {
        check(old);
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.function(), "");
        EXPECT_EQ(error.library(), "example");
        EXPECT_THAT(error.what(), ::testing::Not(HasSubstr("cuMemAlloc")));
    }
}

TEST(CheckTest, DoesNotNameALaterFunctionWithTheSameStatus) {
    setenv("CUBIND_DRIVER_LIBRARY", STAND_IN, 1);
    const auto stored = driver::cuMemFree(0);
    ASSERT_EQ(stored.status, driver::CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND);
    ASSERT_EQ(driver::cuMemGetInfo().status, stored.status);
    try {
        check(stored);
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.function(), "");
        EXPECT_EQ(error.code(), driver::CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND);
        EXPECT_THAT(error.what(), ::testing::StartsWith("A driver call failed")) << "the latest failure is only mentioned";
    }
    try {
        check(driver::cuMemFree(0));
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.function(), "cuMemFree_v2");
    }
}

TEST(CheckTest, DoesNotNameAFailureOfAnotherLibrary) {
    setenv("CUBIND_DRIVER_LIBRARY", STAND_IN, 1);
    const auto status = driver::cuMemAlloc(1000).status;
    const Result<Status> other{static_cast<Status>(status)};
    try {
        check(other);
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.library(), "example");
        EXPECT_EQ(error.function(), "");
    }
}

TEST(ErrorCodeTest, IsEqualOnlyToTheSameStatusOfTheSameLibrary) {
    const Error error("driver", "cuMemAlloc_v2", 2, "CUDA_ERROR_OUT_OF_MEMORY", "There is no more memory.");
    EXPECT_TRUE(error.code() == driver::CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_TRUE(driver::CUDA_ERROR_OUT_OF_MEMORY == error.code());
    EXPECT_TRUE(error.code() != driver::CUDA_ERROR_NOT_INITIALIZED);
    EXPECT_TRUE(error.code() != static_cast<Status>(2)) << "the same value of another library";
    EXPECT_TRUE(error.code() == ErrorCode("driver", 2));
    EXPECT_TRUE(error.code() != ErrorCode("example", 2));
    EXPECT_TRUE(error.code() != ErrorCode("driver", 3));
    EXPECT_EQ(error.code().library(), "driver");
    EXPECT_EQ(error.code().value(), 2);
}

TEST(CheckTest, ThrowsCopyableErrors) {
    const Error error("driver", "cuInit", 3, "CUDA_ERROR_NOT_INITIALIZED", "Call cuInit first.");
    const Error copy = error;
    EXPECT_EQ(copy.library(), "driver");
    EXPECT_EQ(copy.function(), "cuInit");
    EXPECT_EQ(copy.code(), driver::CUDA_ERROR_NOT_INITIALIZED);
    EXPECT_EQ(copy.name(), "CUDA_ERROR_NOT_INITIALIZED");
    EXPECT_STREQ(copy.what(), error.what());
}

TEST(CheckTest, ReturnsASuccessAfterAFailure) {
    setenv("CUBIND_DRIVER_LIBRARY", STAND_IN, 1);
    EXPECT_FALSE(driver::cuMemAlloc(1000).ok());
    EXPECT_NO_THROW(check(driver::cuMemAlloc(64)));
    EXPECT_EQ(last_failure().reason, FailureReason::status) << "success does not reset it";
}

}  // namespace
}  // namespace cubind::testing

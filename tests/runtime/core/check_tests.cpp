// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/detail/host_function.hpp>
#include <cubind/detail/initialization.hpp>
#include <cubind/driver/execution.hpp>
#include <cubind/driver/initialize.hpp>
#include <cubind/driver/loading.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/driver/strings.hpp>
#include <cubind/failure.hpp>
#include <cubind/substitute.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdlib.h>
#include <string>
#include <sys/wait.h>
#include <tuple>
#include <type_traits>
#include <unistd.h>

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
        EXPECT_THAT(error.what(),
                    AllOf(HasSubstr("cuMemFree_v2"), HasSubstr("cuMemGetInfo_v2"), ::testing::Not(HasSubstr("3.2"))))
            << "either function may have returned it";
    }
    try {
        check(driver::cuMemFree(0));
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.function(), "cuMemFree_v2");
    }
}

/// Returns the message of the error that the function throws.
template <class Function>
std::string error_of(const Function& function) {
    try {
        function();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(CheckTest, StatesReleaseAndRemedyOfAStoredResult) {
    setenv("CUBIND_DRIVER_LIBRARY", STAND_IN, 1);
    const auto stored = driver::cuMemFree(0);
    const std::string detail = last_failure().detail;
    ASSERT_THAT(detail, AllOf(HasSubstr("CUDA 3.2 or newer"), HasSubstr("needed")));
    EXPECT_THAT(error_of([] { check(driver::cuMemFree(0)); }), AllOf(HasSubstr("cuMemFree_v2"), HasSubstr(detail)));
    EXPECT_THAT(error_of([&] { check(stored); }), AllOf(HasSubstr("cuMemFree_v2"), HasSubstr(detail)));
}

TEST(CheckTest, NamesTheFunctionOfAStoredResultAfterOtherFailures) {
    setenv("CUBIND_DRIVER_LIBRARY", STAND_IN, 1);
    const auto stored = driver::cuMemFree(0);
    ASSERT_EQ(driver::cuMemAlloc(1000).status, driver::CUDA_ERROR_OUT_OF_MEMORY);
    ASSERT_EQ(driver::cuMemAlloc(1000).status, driver::CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_THAT(error_of([&] { check(stored); }), AllOf(HasSubstr("cuMemFree_v2"), ::testing::Not(HasSubstr("cuMemAlloc"))));
}

TEST(CheckTest, ForgetsFailuresBeforeTheLatest) {
    setenv("CUBIND_DRIVER_LIBRARY", STAND_IN, 1);
    const auto stored = driver::cuMemAlloc(1000);
    for (int i = 0; i < 5; ++i) {
        (void)driver::cuMemFree(0);
        (void)driver::cuMemGetInfo();
    }
    EXPECT_THAT(error_of([&] { check(stored); }), ::testing::Not(HasSubstr("latest call")));
}

TEST(CheckTest, StatesTheSearchOfAMissingLibraryOnce) {
    setenv("CUBIND_DRIVER_LIBRARY", "/no/such/library", 1);
    const auto stored = driver::cuMemFree(0);
    const std::string detail = last_failure().detail;
    const std::string message = error_of([&] { check(stored); });
    EXPECT_THAT(message, HasSubstr(detail));
    EXPECT_EQ(message.find(detail), message.rfind(detail));
}

TEST(CheckTest, NamesTheHostFunctionThatMustNotCallCuda) {
    const auto check_status = [](driver::CUresult status) { check(Result<driver::CUresult>{status}); };
    EXPECT_THAT(error_of([&] { check_status(driver::CUDA_ERROR_NOT_PERMITTED); }), ::testing::Not(HasSubstr("host function")));
    const detail::HostFunctionScope scope;
    EXPECT_THAT(error_of([&] { check_status(driver::CUDA_ERROR_NOT_PERMITTED); }), HasSubstr("host function"));
    EXPECT_THAT(error_of([&] { check_status(driver::CUDA_ERROR_INVALID_VALUE); }), ::testing::Not(HasSubstr("host function")));
    EXPECT_THAT(error_of([] { check(Result<Status>{static_cast<Status>(driver::CUDA_ERROR_NOT_PERMITTED)}); }),
                ::testing::Not(HasSubstr("host function")))
        << "the same number of another library";
}

/// Calls the function in a child of fork(), and returns the string that it returns there.
template <class Function>
std::string result_in_child(const Function& function) {
    int ends[2];
    if (pipe(ends) != 0) return "no pipe";
    const pid_t child = fork();
    if (child == 0) {
        const std::string result = function();
        _exit(write(ends[1], result.data(), result.size()) == static_cast<ssize_t>(result.size()) ? 0 : 1);
    }
    close(ends[1]);
    std::string result(4096, '\0');
    const ssize_t size = read(ends[0], result.data(), result.size());
    close(ends[0]);
    result.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    int status = -1;
    return waitpid(child, &status, 0) == child && status == 0 ? result : "the child failed";
}

TEST(CheckTest, NamesForkInAChildThatCannotUseCuda) {
    setenv("CUBIND_DRIVER_LIBRARY", STAND_IN, 1);
    const auto initialize = [] { return error_of([] { check(driver::cuInit(0)); }); };
    const Result<driver::CUresult> stored{driver::CUDA_ERROR_NOT_INITIALIZED};  // of another function
    const auto other_call = [&] { return error_of([&] { check(stored); }); };
    EXPECT_THAT(initialize(), ::testing::Not(HasSubstr("fork")));
    EXPECT_THAT(other_call(), AllOf(HasSubstr("call cuInit first"), ::testing::Not(HasSubstr("fork"))));
    EXPECT_THAT(result_in_child(initialize), AllOf(HasSubstr("fork()"), ::testing::Not(HasSubstr("call cuInit first"))));
    EXPECT_THAT(result_in_child(other_call),
                AllOf(HasSubstr("fork()"), HasSubstr("had not, call cuInit first"), HasSubstr("posix_spawn")));
}

TEST(CheckTest, DoesNotBlameForkIfTheParentHadNotLoadedTheDriver) {
    substitute(driver::library(), driver::all_entry_points(), nullptr);  // forgets that an earlier test has loaded it
    setenv("CUBIND_DRIVER_LIBRARY", STAND_IN, 1);
    EXPECT_THAT(result_in_child([] { return error_of([] { check(driver::cuInit(0)); }); }),
                AllOf(HasSubstr("call cuInit first"), ::testing::Not(HasSubstr("fork"))));
}

TEST(CheckTest, DoesNotAskForCuInitInAChildOfAProcessThatInitializedTheDriver) {
    setenv("CUBIND_DRIVER_LIBRARY", STAND_IN, 1);
    EXPECT_THAT(result_in_child([] {
                    (void)driver::cuMemAlloc(64);
                    detail::note_initialization();  // in a process of its own, because nothing takes it back
                    return result_in_child(
                        [] { return error_of([] { check(Result<driver::CUresult>{driver::CUDA_ERROR_NOT_INITIALIZED}); }); });
                }),
                AllOf(HasSubstr("fork()"), HasSubstr("posix_spawn"), ::testing::Not(HasSubstr("call cuInit first"))));
}

TEST(CheckTest, NamesAnEarlierKernel) {
    setenv("CUBIND_DRIVER_LIBRARY", STAND_IN, 1);
    const auto error_with = [](driver::CUresult status) { return error_of([&] { check(Result<driver::CUresult>{status}); }); };
    for (const auto status :
         {driver::CUDA_ERROR_ILLEGAL_ADDRESS, driver::CUDA_ERROR_LAUNCH_TIMEOUT, driver::CUDA_ERROR_ASSERT,
          driver::CUDA_ERROR_HARDWARE_STACK_ERROR, driver::CUDA_ERROR_ILLEGAL_INSTRUCTION, driver::CUDA_ERROR_MISALIGNED_ADDRESS,
          driver::CUDA_ERROR_INVALID_ADDRESS_SPACE, driver::CUDA_ERROR_INVALID_PC, driver::CUDA_ERROR_LAUNCH_FAILED,
          driver::CUDA_ERROR_TENSOR_MEMORY_LEAK}) {
        EXPECT_THAT(error_with(status), ::testing::ContainsRegex("[Aa]n earlier kernel "));
    }
    EXPECT_THAT(error_with(driver::CUDA_ERROR_NO_BINARY_FOR_GPU), ::testing::Not(HasSubstr("earlier")));
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    EXPECT_THAT(error_with(driver::CUDA_ERROR_ILLEGAL_ADDRESS), HasSubstr("n earlier kernel ")) << "not the status of a launch";
    const auto launched = [] { return check(driver::cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr)); };
    EXPECT_THAT(error_of(launched), AllOf(HasSubstr("A kernel "), ::testing::Not(HasSubstr("earlier"))));
    unsetenv("CUDA_LAUNCH_BLOCKING");
    EXPECT_THAT(error_of(launched), HasSubstr("An earlier kernel "));
}

TEST(ErrorTest, IsStickyIfTheContextIsLost) {
    const auto is_sticky = [](const char* library, int code) { return Error(library, "f", code, "NAME", "Text.").is_sticky(); };
    for (const int code : {214, 220, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911}) {
        EXPECT_TRUE(is_sticky("driver", code)) << code;
        EXPECT_TRUE(is_sticky("runtime", code)) << code;
        EXPECT_FALSE(is_sticky("nvrtc", code)) << "of another library";
    }
    for (const int code : {1, 2, 3, 100, 201, 209, 400, 600, 701, 709, 720, 800, 801, 900, 901, 999}) {
        EXPECT_FALSE(is_sticky("driver", code)) << code;
    }
}

TEST(ErrorTest, EndsWithTheLogOfTheDriver) {
    const Error error("driver", "cuInit", 1, "CUDA_ERROR_INVALID_VALUE", "Text.", "[1][2][CUDA][E] first\n[1][2][CUDA][E] last");
    EXPECT_EQ(error.driver_log(), "[1][2][CUDA][E] first\n[1][2][CUDA][E] last");
    EXPECT_THAT(error.what(), ::testing::EndsWith("Text.\n" + error.driver_log()));
    const Error advised(error, "Advice.");
    EXPECT_EQ(advised.driver_log(), error.driver_log());
    EXPECT_THAT(advised.what(), ::testing::EndsWith("Text.\nAdvice.\n" + error.driver_log()));
    const LinkError link(error, "Advice.", "log of the linker");
    EXPECT_THAT(link.what(), ::testing::EndsWith("Text.\nAdvice.\nlog of the linker\n" + error.driver_log()));
    const Error without("driver", "cuInit", 1, "CUDA_ERROR_INVALID_VALUE", "Text.");
    EXPECT_EQ(without.driver_log(), "");
    EXPECT_THAT(without.what(), ::testing::EndsWith("Text."));
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

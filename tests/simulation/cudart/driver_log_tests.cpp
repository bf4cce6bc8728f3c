// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// What the driver has written to its log about failed calls of the runtime library, in errors.

#include <cubind/check.hpp>
#include <cubind/runtime/status.hpp>

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "cudart_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <class Function>
std::optional<Error> error_of(const Function& function) {
    try {
        function();
    } catch (const Error& error) {
        return error;
    }
    ADD_FAILURE() << "nothing was thrown";
    return std::nullopt;
}

/// Fails in a call of the driver, with an address that no allocation has.
std::optional<Error> fail_in_driver() {
    return error_of([] { check(cudaMemset(reinterpret_cast<void*>(64), 0, 16)); });
}

TEST(CudartDriverLogTest, StatesTheCallOfTheDriverThatFailed) {
    ASSERT_EQ(cudaFree(nullptr).status, cudaSuccess);
    const auto error = fail_in_driver();
    EXPECT_EQ(error->library(), "runtime");
    EXPECT_EQ(error->function(), "cudaMemset");
    EXPECT_THAT(error->driver_log(), HasSubstr("Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuMemset"));
    EXPECT_THAT(error->what(), EndsWith(error->driver_log()));
}

TEST(CudartDriverLogTest, HasNoLinesOfOtherCalls) {
    ASSERT_EQ(cudaFree(nullptr).status, cudaSuccess);
    EXPECT_EQ(driver::cuMemFree(7).status, driver::CUDA_ERROR_INVALID_VALUE);
    EXPECT_THAT(error_of([] { check(cudaSetDevice(1000)); })->driver_log(), IsEmpty())
        << "the latest failed call has another number";
    EXPECT_THAT(fail_in_driver()->driver_log(), ::testing::Not(HasSubstr("cuMemFree")));
}

TEST(CudartDriverLogTest, IsEmptyInAChildOfFork) {
    ASSERT_EQ(cudaFree(nullptr).status, cudaSuccess);
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);  // ends a child that waits for a lock
        const auto error = fail_in_driver();
        _exit(error && error->driver_log().empty() ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace cubind::testing

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Targets of layer 3 with the oldest driver that is supported, without a driver, and without standard streams.
#include <cubind/error.hpp>
#include <cubind/sim/gtest.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

#include "use_tests.hpp"

namespace cubind::testing {
namespace {

class OldDriverTest : public sim::DriverTest, public ::testing::WithParamInterface<Target> {
protected:
    OldDriverTest() : DriverTest({.devices = 1, .release = "12.0"}) { observe_driver(); }

    UseFolder folder_;
};

TEST_P(OldDriverTest, Suffices) {
    GetParam().use(folder_.path);
}

TEST_P(OldDriverTest, SufficesWithoutStandardStreams) {
    int saved[3];
    for (int stream = 0; stream < 3; ++stream) {
        saved[stream] = ::fcntl(stream, F_DUPFD_CLOEXEC, 100);
        ::close(stream);
    }
    std::string problem;
    try {
        GetParam().use(folder_.path);
    } catch (const std::exception& error) {
        problem = error.what();
    }
    int open = 0;
    for (int stream = 0; stream < 3; ++stream) {
        open += ::fcntl(stream, F_GETFD) >= 0;
        if (saved[stream] >= 0) ::dup2(saved[stream], stream);
        ::close(saved[stream]);
    }
    EXPECT_EQ(problem, "");
    EXPECT_EQ(open, 0) << "descriptors with the numbers of standard streams";
}

INSTANTIATE_TEST_SUITE_P(Targets, OldDriverTest, ::testing::ValuesIn(targets()), name_of);

class NoDriverTest : public ::testing::TestWithParam<Target> {
protected:
    UseFolder folder_;
};

TEST_P(NoDriverTest, IsSaid) {
    ::setenv("CUBIND_DRIVER_LIBRARY", "/nonexistent/libcuda.so.1", 1);
    try {
        GetParam().use(folder_.path);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("/nonexistent/libcuda.so.1"));
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, NoDriverTest, ::testing::ValuesIn(targets()), name_of);

}  // namespace
}  // namespace cubind::testing

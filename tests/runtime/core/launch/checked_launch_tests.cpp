// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/buffer.hpp>
#include <cubind/core/checked_launch.hpp>
#include <cubind/core/device_memory_resource.hpp>

#include "launch_test.hpp"

namespace cubind::testing {
namespace {

class CheckedLaunchTest : public LaunchTest {
protected:
    using LaunchTest::LaunchTest;
    template <class... Arguments>
    std::string mistake(const Kernel& kernel, const Arguments&... arguments) const {
        return message_of<std::invalid_argument>([&] { checked_launch(stream, {}, kernel, arguments...); });
    }
    static constexpr driver::CUdeviceptr x = 16;
};

TEST_F(CheckedLaunchTest, LaunchesWhatIsRight) {
    checked_launch(stream, {.grid = 3}, kernel("saxpy"), 2.0f, x, nullptr, std::size_t{5});
    EXPECT_EQ(launched().grid, (sim::Dim3{3, 1, 1}));
    checked_launch(stream, {}, kernel("empty"));
    launched();
}

TEST_F(CheckedLaunchTest, NamesTheFirstArgumentOfAWrongSize) {
    EXPECT_THAT(mistake(kernel("saxpy"), 2.0, x, x, std::size_t{5}),
                AllOf(HasSubstr("\"saxpy\""), HasSubstr("4 bytes as parameter 1"), HasSubstr("argument 1 has 8"), HasSubstr("4, 8, 8, 8 bytes")));
    EXPECT_THAT(mistake(kernel("saxpy"), 2.0f, x, x, 5), AllOf(HasSubstr("8 bytes as parameter 4"), HasSubstr("argument 4 has 4")));
    EXPECT_TRUE(sim::launches().empty());
}

TEST_F(CheckedLaunchTest, NamesTheNumberOfArguments) {
    EXPECT_THAT(mistake(kernel("saxpy"), 2.0f, x, x), AllOf(HasSubstr("takes 4 arguments"), HasSubstr("given 3")));
    EXPECT_THAT(mistake(kernel("saxpy"), 2.0f, x, x, x, 1), AllOf(HasSubstr("takes 4 arguments"), HasSubstr("given 5")));
    EXPECT_THAT(mistake(kernel("empty"), 1), AllOf(HasSubstr("takes 0 arguments"), HasSubstr("given 1"), HasSubstr("none")));
    EXPECT_THAT(mistake(kernel("structs")), HasSubstr("24, 4, 4 bytes"));
    EXPECT_TRUE(sim::launches().empty());
}

TEST_F(CheckedLaunchTest, LooksWhetherTheDeviceCanReachTheBuffers) {
    const Stream on_other(Device(1));
    const Kernel pointers = kernel("pointers");
    const DeviceMemoryResource pool(Device(0), {.max_size = 4096});
    const Buffer here = pool.allocate(stream, 16);
    const Buffer there = Device(1).allocate(on_other, 16);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { checked_launch(on_other, {}, pointers, there, there, here, nullptr); }),
                AllOf(HasSubstr("argument 3"), HasSubstr("device memory of device 0"), HasSubstr("allow_peer_access(Device(1)) of its pool")));
    pool.allow_peer_access(Device(1));
    checked_launch(on_other, {}, pointers, there, there, here, nullptr);
    on_other.synchronize();
}

TEST_F(CheckedLaunchTest, AsksOnce) {
    const Kernel saxpy = kernel("saxpy");
    layers::faults::start();
    for (int i = 0; i < 3; ++i) checked_launch(stream, {}, saxpy, 2.0f, x, x, x);
    EXPECT_EQ(layers::faults::calls("cuKernelGetParamInfo"), 4u);
    EXPECT_EQ(layers::faults::calls("cuLaunchKernelEx"), 3u);
    EXPECT_EQ(ContextRef::current(), ContextRef());
}

class CheckedLaunchOn124Test : public CheckedLaunchTest {
protected:
    CheckedLaunchOn124Test() : CheckedLaunchTest(sim::Options{.release = "12.4"}) {}
};

TEST_F(CheckedLaunchOn124Test, CountsTheParametersItself) {
    checked_launch(stream, {}, kernel("saxpy"), 2.0f, x, x, x);
    EXPECT_THAT(mistake(kernel("saxpy"), 2.0f, x, x, x, 1), HasSubstr("given 5"));
    EXPECT_THAT(mistake(kernel("empty"), 1), HasSubstr("takes 0 arguments"));
}

class CheckedLaunchOn123Test : public CheckedLaunchTest {
protected:
    CheckedLaunchOn123Test() : CheckedLaunchTest(sim::Options{.release = "12.3"}) {}
};

TEST_F(CheckedLaunchOn123Test, SaysThatTheDriverCannotTell) {
    EXPECT_THAT(message_of<Error>([&] { checked_launch(stream, {}, kernel("saxpy"), 2.0f, x, x, x); }),
                AllOf(HasSubstr("cuKernelGetParamInfo"), HasSubstr("12.4"), HasSubstr("use launch()")));
    EXPECT_TRUE(sim::launches().empty());
}

TEST_F(CheckedLaunchTest, MovedFromAndClosedObjects) {
    Kernel empty = kernel("empty");
    const Kernel taken = std::move(empty);
    EXPECT_THAT(mistake(empty), HasSubstr("Kernel"));
    Stream own(Device(0));
    own.close();
    for (int i = 0; i < 2; ++i) {
        EXPECT_THAT(message_of<std::invalid_argument>([&] { checked_launch(own, {}, taken); }), HasSubstr("Stream"));
        checked_launch(stream, {}, taken);
    }
}

}  // namespace
}  // namespace cubind::testing

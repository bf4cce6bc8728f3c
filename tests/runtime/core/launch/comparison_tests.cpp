// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/device_memory_resource.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/failure.hpp>

#include <functional>
#include <thread>

#include "launch_test.hpp"

namespace cubind::testing {
namespace {

/// launch() compares its arguments with the kernel's parameters.
class LaunchComparisonTest : public LaunchTest {
protected:
    using LaunchTest::LaunchTest;

    template <class... Arguments>
    std::string mistake(const Kernel& kernel, const Arguments&... arguments) const {
        const std::string message = message_of<std::invalid_argument>([&] { launch(stream, {}, kernel, arguments...); });
        EXPECT_TRUE(sim::launches().empty());
        return message;
    }

    static constexpr driver::CUdeviceptr x = 16;
};

TEST_F(LaunchComparisonTest, AcceptsMatchingArguments) {
    launch(stream, {.grid = 3}, kernel("saxpy"), 2.0f, x, nullptr, std::size_t{5});
    EXPECT_EQ(launched().grid, (sim::Extent3{3, 1, 1}));
    launch(stream, {}, kernel("empty"));
    launched();
    launch_validated(stream, {.grid = 4}, kernel("saxpy"), 2.0f, x, nullptr, std::size_t{5});
    EXPECT_EQ(launched().grid, (sim::Extent3{4, 1, 1}));
    launch_validated(stream, {}, kernel("empty"));
    launched();
}

TEST_F(LaunchComparisonTest, NamesTheFirstArgumentOfAWrongSize) {
    EXPECT_THAT(mistake(kernel("saxpy"), 2.0, x, x, std::size_t{5}),
                AllOf(HasSubstr("\"saxpy\""), HasSubstr("argument 1 has 8 bytes"), HasSubstr("parameter 1 has 4"),
                      HasSubstr("4, 8, 8, 8 bytes")));
    EXPECT_THAT(mistake(kernel("saxpy"), 2.0f, x, x, 5),
                AllOf(HasSubstr("argument 4 has 4 bytes"), HasSubstr("parameter 4 has 8")));
}

TEST_F(LaunchComparisonTest, NamesBothNumbersOfArguments) {
    EXPECT_THAT(mistake(kernel("saxpy"), 2.0f, x, x), AllOf(HasSubstr("4 parameters"), HasSubstr("3 arguments were given")));
    EXPECT_THAT(mistake(kernel("saxpy"), 2.0f, x, x, x, 1),
                AllOf(HasSubstr("4 parameters"), HasSubstr("5 arguments were given")));
    EXPECT_THAT(mistake(kernel("empty"), 1),
                AllOf(HasSubstr("0 parameters"), HasSubstr("1 argument was given"), HasSubstr("no parameters")));
    EXPECT_THAT(mistake(kernel("structs")), HasSubstr("24, 4, 4 bytes"));
}

TEST_F(LaunchComparisonTest, HasTheSameMessagesInLaunchValidated) {
    const auto message = [&](auto... arguments) {
        return message_of<std::invalid_argument>([&] { launch_validated(stream, {}, kernel("saxpy"), arguments...); });
    };
    EXPECT_EQ(message(2.0, x, x, x), mistake(kernel("saxpy"), 2.0, x, x, x));
    EXPECT_EQ(message(2.0f, x, x), mistake(kernel("saxpy"), 2.0f, x, x));
    EXPECT_TRUE(sim::launches().empty());
}

TEST_F(LaunchComparisonTest, RecommendsOtherFunctionsThanLaunch) {
    const std::string message = mistake(kernel("saxpy"), 2.0, x, x, std::size_t{5});
    EXPECT_THAT(message, AllOf(HasSubstr("KernelFunction"), Not(HasSubstr("launch("))));
}

TEST_F(LaunchComparisonTest, RefusesAfterALaunchThatMatched) {
    const Kernel saxpy = kernel("saxpy");
    launch(stream, {}, saxpy, 2.0f, x, x, x);
    launched();
    EXPECT_THAT(mistake(saxpy, 2.0f, x, x, 5), HasSubstr("argument 4 has 4 bytes"));
    EXPECT_THAT(mistake(saxpy, 2.0f, x, x), HasSubstr("3 arguments were given"));
    launch(stream, {}, saxpy, 2, x, x, x);  // an int has the size of a float
    launched();
}

TEST_F(LaunchComparisonTest, ReadsTheParametersOnce) {
    const Kernel saxpy = kernel("saxpy");
    const Kernel copy = saxpy;
    layers::faults::start();
    for (int i = 0; i < 3; ++i) launch(stream, {}, i == 1 ? copy : saxpy, 2.0f, x, x, x);
    EXPECT_EQ(layers::faults::calls("cuKernelGetParamCount"), 1u);
    EXPECT_EQ(layers::faults::calls("cuKernelGetParamInfo"), 4u);
    EXPECT_EQ(layers::faults::calls("cuLaunchKernelEx"), 3u);
    EXPECT_EQ(ContextRef::current(), ContextRef());
}

TEST_F(LaunchComparisonTest, IsSkippedByLaunchUnchecked) {
    layers::faults::start();
    launch_unchecked(stream, {}, kernel("saxpy"), 2.0, x, x, std::size_t{5});
    EXPECT_EQ(layers::faults::calls("cuKernelGetParamInfo"), 0u);
    EXPECT_EQ(launched().arguments.size(), 32u);
}

TEST_F(LaunchComparisonTest, RefusesObjectsThatWereMovedFromOrClosed) {
    Kernel empty = kernel("empty");
    const Kernel moved_to = std::move(empty);
    Stream own(Device(0));
    own.close();
    const auto message = [](const std::function<void()>& operation) { return message_of<std::invalid_argument>(operation); };
    for (int i = 0; i < 2; ++i) {
        EXPECT_THAT(message([&] { launch(stream, {}, empty); }), HasSubstr("Kernel"));
        EXPECT_THAT(message([&] { launch_unchecked(stream, {}, empty); }), HasSubstr("Kernel"));
        EXPECT_THAT(message([&] { launch_validated(stream, {}, empty); }), HasSubstr("Kernel"));
        EXPECT_THAT(message([&] { launch(own, {}, moved_to); }), HasSubstr("Stream"));
        EXPECT_THAT(message([&] { launch_unchecked(own, {}, moved_to); }), HasSubstr("Stream"));
        EXPECT_THAT(message([&] { launch_validated(own, {}, moved_to); }), HasSubstr("Stream"));
        launch(stream, {}, moved_to);
        launched();
    }
}

// ---- drivers that report less --------------------------------------------------------------------------------------------

/// A driver that reports the parameters, but not their number.
class LaunchComparisonOn124Test : public LaunchComparisonTest {
protected:
    LaunchComparisonOn124Test() : LaunchComparisonTest(sim::Options{.release = "12.4"}) {}

    /// Returns the driver calls that the operation makes, with their results, one line per call.
    static std::string trace(const std::function<void()>& operation) {
        layers::trace::start({.memory = 1 << 16});
        operation();
        const std::string calls = layers::trace::recorded();
        layers::trace::stop();
        return calls;
    }
};

TEST_F(LaunchComparisonOn124Test, MakesNoCallThatFails) {
    const Kernel saxpy = kernel("saxpy");
    const Kernel empty = kernel("empty");
    const std::string calls = trace([&] {
        launch(stream, {}, saxpy, 2.0f, x, x, x);
        launch(stream, {}, empty);
    });
    EXPECT_THAT(calls, AllOf(HasSubstr("cuKernelGetParamInfo"), HasSubstr("CUDA_SUCCESS"), Not(HasSubstr("CUDA_ERROR"))));
}

TEST_F(LaunchComparisonOn124Test, NamesSizesAndSuperfluousArguments) {
    EXPECT_THAT(mistake(kernel("saxpy"), 2.0, x, x, x), HasSubstr("argument 1 has 8 bytes"));
    EXPECT_THAT(mistake(kernel("saxpy"), 2.0f, x, x, x, 1),
                AllOf(HasSubstr("4 parameters"), HasSubstr("5 arguments were given")));
    EXPECT_THAT(mistake(kernel("empty"), 1), HasSubstr("0 parameters"));
}

TEST_F(LaunchComparisonOn124Test, ReadsMoreParametersForMoreArguments) {
    const Kernel saxpy = kernel("saxpy");
    const auto message = [](const std::function<void()>& operation) { return message_of<std::invalid_argument>(operation); };
    EXPECT_THAT(message([&] { launch(stream, {}, saxpy, 2.0); }),
                AllOf(HasSubstr("argument 1 has 8 bytes"), HasSubstr("first parameters: 4 bytes")));
    launch(stream, {}, saxpy, 2.0f, x, x, x);
    launched();
    EXPECT_THAT(message([&] { launch(stream, {}, saxpy, 2.0f, x); }),
                AllOf(HasSubstr("at least 4 parameters"), HasSubstr("2 arguments")));
    EXPECT_THAT(message([&] { launch(stream, {}, saxpy, 2.0f, x, x, x, x); }),
                AllOf(HasSubstr("4 parameters"), HasSubstr("5 arguments")));
    launch(stream, {}, saxpy, 2.0f, x, x, x);
    launched();
}

/// A driver that reports no parameters.
class LaunchWithoutParametersTest : public LaunchTest {
protected:
    LaunchWithoutParametersTest() : LaunchTest(sim::Options{.release = "12.3"}) {}
    static constexpr driver::CUdeviceptr x = 16;
};

TEST_F(LaunchWithoutParametersTest, ComparesNothing) {
    std::thread([&] {
        const Kernel saxpy = kernel("saxpy");
        for (int i = 0; i < 2; ++i) {
            launch(stream, {}, saxpy, 2.0, x, x, x);
            launched();
        }
        EXPECT_EQ(last_failure().reason, FailureReason::none) << last_failure().function;
    }).join();
}

TEST_F(LaunchWithoutParametersTest, RefusesLaunchValidated) {
    EXPECT_THAT(message_of<Error>([&] { launch_validated(stream, {}, kernel("saxpy"), 2.0f, x, x, x); }),
                AllOf(HasSubstr("cuKernelGetParamInfo"), HasSubstr("12.4"), HasSubstr("use launch()")));
    EXPECT_TRUE(sim::launches().empty());
}

// ---- memory --------------------------------------------------------------------------------------------------------------

TEST_F(LaunchComparisonTest, NamesTheBufferThatTheDeviceCannotAccess) {
    const Stream on_other(Device(1));
    const Kernel pointers = kernel("pointers");
    const DeviceMemoryResource pool(Device(0), {.max_size = 4096});
    const Buffer here = pool.allocate(stream, 16);
    const Buffer there = Device(1).allocate(on_other, 16);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { launch_validated(on_other, {}, pointers, there, there, here, nullptr); }),
                AllOf(HasSubstr("argument 3"), HasSubstr("device memory of device 0"),
                      HasSubstr("allow_peer_access(Device(1)) of its pool")));
    pool.allow_peer_access(Device(1));
    launch_validated(on_other, {}, pointers, there, there, here, nullptr);
    on_other.synchronize();
}

using ::testing::MatchesRegex;

TEST_F(LaunchComparisonTest, StatesWhichDeviceCannotAccessAnArgumentAndWhatGrantsAccess) {
    const Stream on_other(Device(1));
    const Device owner(0);
    const auto message = [&](driver::CUdeviceptr memory) {
        const Buffer buffer = Buffer::view_of(memory, 16);
        return message_of<std::invalid_argument>(
            [&] { launch_validated(on_other, {}, kernel("pointers"), buffer, nullptr, nullptr, nullptr); });
    };
    const std::string beginning =
        "a kernel cannot be launched on device 1: argument 1, 16 bytes at 0x[0-9a-f]+, lies in device memory of device 0: 64 "
        "bytes at 0x[0-9a-f]+, which device 1 cannot access without ";
    const ScopedContext scope(owner.primary_context());
    const driver::CUdeviceptr plain = check(driver::cuMemAlloc(64));
    EXPECT_THAT(message(plain), MatchesRegex(beginning + R"(Device\(1\)\.enable_peer_access\(Device\(0\)\))"));

    driver::CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
    parameters.poolProps.allocType = driver::CU_MEM_ALLOCATION_TYPE_PINNED;
    parameters.poolProps.location.type = driver::CU_MEM_LOCATION_TYPE_DEVICE;
    parameters.bytesize = 64;
    const driver::CUgraph graph = check(driver::cuGraphCreate(0));
    const driver::CUdeviceptr of_graph = cubind::get<2>(driver::cuGraphAddMemAllocNode(graph, nullptr, 0, parameters)).dptr;
    check(driver::cuGraphLaunch(check(driver::cuGraphInstantiate(graph, 0)), stream.native_handle()));
    stream.synchronize();
    EXPECT_THAT(message(of_graph),
                MatchesRegex(beginning + "a permission from its allocation, such as VirtualMemoryResourceOptions::peers"));
}

TEST_F(LaunchComparisonTest, NamesTheTypedBufferThatTheDeviceCannotAccess) {
    const Stream on_other(Device(1));
    const DeviceMemoryResource pool(Device(0), {.max_size = 4096});
    const TypedBuffer<float> here = pool.allocate<float>(stream, 16);
    EXPECT_THAT(message_of<std::invalid_argument>(
                    [&] { launch_validated(on_other, {}, kernel("pointers"), nullptr, here, nullptr, nullptr); }),
                AllOf(HasSubstr("argument 2"), HasSubstr("device memory of device 0")));
}

}  // namespace
}  // namespace cubind::testing

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "launch_test.hpp"

namespace cubind::testing {
namespace {

class SharedMemoryTest : public LaunchTest {
protected:
    static constexpr std::size_t usual = 48 * 1024;
    static constexpr std::size_t most = 227 * 1024;

    static LaunchConfig with(std::size_t size) { return {.shared_memory_size = size}; }
    static std::size_t of_launch(const sim::Launch& launch) { return launch.shared_bytes; }
    int allowed(const Kernel& kernel, int device) const {
        return check(driver::cuKernelGetAttribute(driver::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, kernel.native_handle(), device));
    }
};

TEST_F(SharedMemoryTest, OfMoreThanUsualNeedsNoStepOfTheUser) {
    const Kernel empty = kernel("empty");
    launch(stream, with(usual), empty);
    EXPECT_EQ(of_launch(launched()), usual);
    EXPECT_EQ(allowed(empty, 0), static_cast<int>(usual)) << "nothing was needed";
    for (const std::size_t size : {usual + 1, most, usual, std::size_t{0}}) {
        launch(stream, with(size), empty);
        EXPECT_EQ(of_launch(launched()), size);
    }
    EXPECT_EQ(allowed(empty, 0), static_cast<int>(most));
    EXPECT_EQ(allowed(empty, 1), static_cast<int>(usual)) << "the other device was not asked for";
}

TEST_F(SharedMemoryTest, CountsWhatTheKernelHasItself) {
    const Kernel tiled = kernel("tiled");
    launch(stream, with(usual - 1023), tiled);
    EXPECT_EQ(of_launch(launched()), usual - 1023);
    launch(stream, with(most - 1024), tiled);
    EXPECT_EQ(of_launch(launched()), most - 1024);
}

TEST_F(SharedMemoryTest, IsAllowedForEachDevice) {
    const Kernel empty = kernel("empty");
    const Stream second(Device(1));
    launch(stream, with(usual + 1), empty);
    EXPECT_EQ(of_launch(launched()), usual + 1);
    launch(second, with(usual + 2), empty);
    second.synchronize();
    EXPECT_EQ(of_launch(launched()), usual + 2);
    EXPECT_EQ(allowed(empty, 1), static_cast<int>(most));
}

TEST_F(SharedMemoryTest, OfADefaultStreamIsThatOfTheCurrentDevice) {
    const ContextRef before = Device(1).set_current();
    const Kernel empty = kernel("empty");
    launch(StreamRef::legacy_default(), with(usual + 1), empty);
    EXPECT_EQ(allowed(empty, 0), static_cast<int>(usual));
    EXPECT_EQ(allowed(empty, 1), static_cast<int>(most));
    before.set_current();
}

TEST_F(SharedMemoryTest, IsAllowedOnce) {
    const Kernel empty = kernel("empty");
    layers::faults::start();
    for (int i = 0; i < 3; ++i) launch(stream, with(usual + 1), empty);
    for (int i = 0; i < 3; ++i) launch(stream, with(1000), empty);
    EXPECT_EQ(layers::faults::calls("cuKernelSetAttribute"), 1u);
    EXPECT_EQ(layers::faults::calls("cuKernelGetAttribute"), 1u);
    EXPECT_EQ(layers::faults::calls("cuLaunchKernelEx"), 6u);
}

TEST_F(SharedMemoryTest, WhereAllowingItFailsNothingIsLaunched) {
    const Kernel empty = kernel("empty");
    layers::faults::start();
    layers::faults::fail("cuKernelSetAttribute", driver::CUDA_ERROR_UNKNOWN);
    EXPECT_THAT(message_of<Error>([&] { launch(stream, with(usual + 1), empty); }), HasSubstr("cuKernelSetAttribute"));
    EXPECT_EQ(layers::faults::calls("cuLaunchKernelEx"), 0u);
    launch(stream, with(usual + 1), empty);
    EXPECT_EQ(of_launch(launched()), usual + 1) << "it is tried again";
}

TEST_F(SharedMemoryTest, OverTheLimitIsRefusedWithIt) {
    EXPECT_THAT(message_of<Error>([&] { launch(stream, with(most + 1), kernel("empty")); }),
                AllOf(HasSubstr("cuLaunchKernelEx"), HasSubstr("232449"), HasSubstr("limit is 232448")));
    EXPECT_THAT(message_of<Error>([&] { launch(stream, with(most), kernel("tiled")); }),
                AllOf(HasSubstr("232448 bytes of dynamic"), HasSubstr("limit is 231424"), HasSubstr("1024 of which")));
    EXPECT_THAT(message_of<Error>([&] { launch(stream, {}, kernel("impossible")); }), AllOf(HasSubstr("300000"), HasSubstr("232448")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { launch(stream, with(std::size_t{1} << 32), kernel("empty")); }), HasSubstr("4294967296"));
    const Kernel empty = kernel("empty");
    check(driver::cuKernelSetAttribute(driver::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100, empty.native_handle(), 0));
    EXPECT_THAT(message_of<Error>([&] { launch(stream, with(101), empty); }), AllOf(HasSubstr("101"), HasSubstr("set to 100")));
}

}  // namespace
}  // namespace cubind::testing

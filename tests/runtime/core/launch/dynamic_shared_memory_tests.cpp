// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "launch_test.hpp"

namespace cubind::testing {
namespace {

class DynamicSharedMemoryTest : public LaunchTest {
protected:
    static constexpr std::size_t default_limit = 48 * 1024;
    static constexpr std::size_t max_limit = 227 * 1024;

    static LaunchConfig config(std::size_t size) { return {.shared_memory_size = size}; }
    static std::size_t shared_bytes(const sim::Launch& launch) { return launch.shared_bytes; }
    int limit_on(const Kernel& kernel, int device) const {
        return check(driver::cuKernelGetAttribute(driver::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, kernel.native_handle(),
                                                  device));
    }
};

TEST_F(DynamicSharedMemoryTest, RaisesTheLimitByItself) {
    const Kernel empty = kernel("empty");
    launch(stream, config(default_limit), empty);
    EXPECT_EQ(shared_bytes(launched()), default_limit);
    EXPECT_EQ(limit_on(empty, 0), static_cast<int>(default_limit)) << "the launch did not exceed the limit";
    for (const std::size_t size : {default_limit + 1, max_limit, default_limit, std::size_t{0}}) {
        launch(stream, config(size), empty);
        EXPECT_EQ(shared_bytes(launched()), size);
    }
    EXPECT_EQ(limit_on(empty, 0), static_cast<int>(max_limit));
    EXPECT_EQ(limit_on(empty, 1), static_cast<int>(default_limit)) << "the limit of the other device was not raised";
}

TEST_F(DynamicSharedMemoryTest, SubtractsTheStaticMemory) {
    const Kernel tiled = kernel("tiled");
    launch(stream, config(default_limit - 1023), tiled);
    EXPECT_EQ(shared_bytes(launched()), default_limit - 1023);
    launch(stream, config(max_limit - 1024), tiled);
    EXPECT_EQ(shared_bytes(launched()), max_limit - 1024);
}

TEST_F(DynamicSharedMemoryTest, RaisesTheLimitOfEachDevice) {
    const Kernel empty = kernel("empty");
    const Stream second(Device(1));
    launch(stream, config(default_limit + 1), empty);
    EXPECT_EQ(shared_bytes(launched()), default_limit + 1);
    launch(second, config(default_limit + 2), empty);
    second.synchronize();
    EXPECT_EQ(shared_bytes(launched()), default_limit + 2);
    EXPECT_EQ(limit_on(empty, 1), static_cast<int>(max_limit));
}

TEST_F(DynamicSharedMemoryTest, RaisesTheLimitOfTheCurrentDeviceForADefaultStream) {
    const ContextRef before = Device(1).set_current();
    const Kernel empty = kernel("empty");
    launch(StreamRef::legacy_default(), config(default_limit + 1), empty);
    EXPECT_EQ(limit_on(empty, 0), static_cast<int>(default_limit));
    EXPECT_EQ(limit_on(empty, 1), static_cast<int>(max_limit));
    before.set_current();
}

TEST_F(DynamicSharedMemoryTest, RaisesTheLimitOnce) {
    const Kernel empty = kernel("empty");
    layers::faults::start();
    for (int i = 0; i < 3; ++i) launch(stream, config(default_limit + 1), empty);
    for (int i = 0; i < 3; ++i) launch(stream, config(1000), empty);
    EXPECT_EQ(layers::faults::calls("cuKernelSetAttribute"), 1u);
    EXPECT_EQ(layers::faults::calls("cuKernelGetAttribute"), 1u);
    EXPECT_EQ(layers::faults::calls("cuLaunchKernelEx"), 6u);
}

TEST_F(DynamicSharedMemoryTest, LaunchesNothingIfTheLimitCannotBeRaised) {
    const Kernel empty = kernel("empty");
    layers::faults::start();
    layers::faults::fail("cuKernelSetAttribute", driver::CUDA_ERROR_UNKNOWN);
    EXPECT_THAT(message_of<Error>([&] { launch(stream, config(default_limit + 1), empty); }), HasSubstr("cuKernelSetAttribute"));
    EXPECT_EQ(layers::faults::calls("cuLaunchKernelEx"), 0u);
    launch(stream, config(default_limit + 1), empty);
    EXPECT_EQ(shared_bytes(launched()), default_limit + 1) << "the next launch tries again";
}

TEST_F(DynamicSharedMemoryTest, NamesTheLimitOfARefusedSize) {
    EXPECT_THAT(message_of<Error>([&] { launch(stream, config(max_limit + 1), kernel("empty")); }),
                AllOf(HasSubstr("cuLaunchKernelEx"), HasSubstr("232449"), HasSubstr("limit is 232448")));
    EXPECT_THAT(message_of<Error>([&] { launch(stream, config(max_limit), kernel("tiled")); }),
                AllOf(HasSubstr("232448 bytes of dynamic"), HasSubstr("limit is 231424"), HasSubstr("uses 1024")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { launch(stream, config(std::size_t{1} << 32), kernel("empty")); }),
                AllOf(HasSubstr("4294967296"), HasSubstr("4294967295")));
    const Kernel empty = kernel("empty");
    check(driver::cuKernelSetAttribute(driver::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 100, empty.native_handle(), 0));
    EXPECT_THAT(message_of<Error>([&] { launch(stream, config(101), empty); }), AllOf(HasSubstr("101"), HasSubstr("set to 100")));
}

}  // namespace
}  // namespace cubind::testing

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/object_code.hpp>
#include <cubind/core/stream/event.hpp>

#include <string_view>

#include "launch_test.hpp"

namespace cubind::testing {
namespace {

class LaunchRefusalTest : public LaunchTest {
protected:
    using LaunchTest::LaunchTest;
    std::string refusal(const char* name, const LaunchConfig& config) const {
        const ContextRef before = ContextRef::current();
        const std::string message = message_of<Error>([&] { launch(stream, config, kernel(name)); });
        EXPECT_EQ(ContextRef::current(), before);
        return message;
    }
};

TEST_F(LaunchRefusalTest, NamesTheExtentAndItsLimit) {
    EXPECT_THAT(refusal("empty", {.grid = 0}),
                AllOf(HasSubstr("cuLaunchKernelEx failed with CUDA_ERROR_INVALID_VALUE"), HasSubstr("grid.x is 0")));
    EXPECT_THAT(refusal("empty", {.grid = 0x80000000u}),
                AllOf(HasSubstr("grid.x is 2147483648"), HasSubstr("limit is 2147483647")));
    EXPECT_THAT(refusal("empty", {.grid = {1, 65536}}), AllOf(HasSubstr("grid.y is 65536"), HasSubstr("65535")));
    EXPECT_THAT(refusal("empty", {.grid = {1, 1, 65536}}), HasSubstr("grid.z is 65536"));
    EXPECT_THAT(refusal("empty", {.block = {1, 0}}), HasSubstr("block.y is 0"));
    EXPECT_THAT(refusal("empty", {.block = 1025}), AllOf(HasSubstr("block.x is 1025"), HasSubstr("1024")));
    EXPECT_THAT(refusal("empty", {.block = {1, 1, 65}}), AllOf(HasSubstr("block.z is 65"), HasSubstr("64")));
}

TEST_F(LaunchRefusalTest, NamesTheNumberOfThreads) {
    EXPECT_THAT(refusal("empty", {.block = {32, 33}}), AllOf(HasSubstr("1056 threads"), HasSubstr("device's limit is 1024")));
    EXPECT_THAT(refusal("bounded", {.block = 257}),
                AllOf(HasSubstr("257 threads"), HasSubstr("kernel's limit is 256"), HasSubstr("registers")));
}

TEST_F(LaunchRefusalTest, NamesKernelAndShape) {
    EXPECT_THAT(refusal("bounded", {.grid = {2, 3}, .block = 257, .shared_memory_size = 5}),
                AllOf(HasSubstr("\"bounded\""), HasSubstr("device 0"), HasSubstr("(2, 3, 1)"), HasSubstr("(257, 1, 1)"),
                      HasSubstr("5 bytes")));
}

TEST_F(LaunchRefusalTest, NamesTheMistakeInACluster) {
    EXPECT_THAT(refusal("empty", {.grid = 3, .cluster = 2}),
                AllOf(HasSubstr("INVALID_CLUSTER_SIZE"), HasSubstr("(3, 1, 1)"), HasSubstr("not a multiple")));
    EXPECT_THAT(refusal("empty", {.grid = 16, .cluster = 16}), AllOf(HasSubstr("16 blocks"), HasSubstr("only 8")));
    EXPECT_THAT(refusal("empty", {.grid = 16, .cluster = {2, 0}}), HasSubstr("empty"));
    EXPECT_THAT(refusal("clustered", {.grid = 3}), HasSubstr("not a multiple of the cluster (2, 1, 1)"));
}

class LaunchRefusalOnAmpereTest : public LaunchRefusalTest {
protected:
    LaunchRefusalOnAmpereTest() : LaunchRefusalTest(sim::Options{.major = 8}) {}
};

TEST_F(LaunchRefusalOnAmpereTest, NamesTheCapabilityThatClustersNeed) {
    layers::faults::start();
    layers::faults::fail("cuLaunchKernelEx", driver::CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_THAT(refusal("empty", {.grid = 4, .cluster = 2}), AllOf(HasSubstr("compute capability 9.0"), HasSubstr("has 8.0")));
}

TEST_F(LaunchRefusalTest, NamesTheLimitOfBlocksThatCooperate) {
    launch(stream, {.grid = 264, .block = 1024, .cooperative = true}, kernel("empty"));
    EXPECT_THAT(refusal("empty", {.grid = 265, .block = 1024, .cooperative = true}),
                AllOf(HasSubstr("COOPERATIVE_LAUNCH_TOO_LARGE"), HasSubstr("(265, 1, 1)"), HasSubstr("limit of 264 blocks"),
                      HasSubstr("2 on each of 132")));
}

class LaunchRefusalOn122Test : public LaunchRefusalTest {
protected:
    LaunchRefusalOn122Test() : LaunchRefusalTest(sim::Options{.release = "12.2"}) {}
};

TEST_F(LaunchRefusalOn122Test, NamesTheReleaseThatAnAttributeNeeds) {
    EXPECT_THAT(
        refusal("empty", {.preferred_shared_memory_carveout = 50}),
        AllOf(HasSubstr("CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT"), HasSubstr("CUDA 12.5"), HasSubstr("CUDA 12.2")));
    EXPECT_THAT(refusal("empty", {.shared_memory_mode = driver::CU_SHARED_MEMORY_MODE_REQUIRE_PORTABLE}), HasSubstr("13.2"));
}

TEST_F(LaunchRefusalOn122Test, NamesTheKernelWithoutTheDriver) {
    ASSERT_FALSE(driver::has(driver::cuKernelGetName));
    const ObjectCode code = ObjectCode::from_bytes(CodeType::ptx, std::string_view(launch_ptx));
    const Kernel bounded = code.kernel("bounded");
    EXPECT_THAT(message_of<Error>([&] { launch(stream, {.block = 257}, bounded); }), HasSubstr("\"bounded\""));
    const Kernel view = Kernel::view_of(bounded.native_handle());
    EXPECT_THAT(message_of<Error>([&] { launch(stream, {.block = 257}, view); }), HasSubstr("of unknown name"));
}

TEST_F(LaunchRefusalTest, AdvisesAContextForADefaultStream) {
    EXPECT_THAT(message_of<Error>([&] { launch(StreamRef::legacy_default(), {}, kernel("empty")); }),
                AllOf(HasSubstr("CUDA_ERROR_INVALID_CONTEXT"), HasSubstr("Device::set_current")));
}

TEST_F(LaunchRefusalTest, RefusesObjectsThatWereMovedFromAndNullHandles) {
    Kernel empty = kernel("empty");
    Stream own(Device(0));
    const Kernel moved_to = std::move(empty);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { launch(stream, {}, empty); }), HasSubstr("Kernel"));
    own.close();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { launch(own, {}, moved_to); }), HasSubstr("Stream"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { launch(stream, {}, Kernel::view_of(nullptr)); }), HasSubstr("null"));
    launch(stream, {}, moved_to);
    launched();
}

TEST_F(LaunchRefusalTest, ReportsDestroyedObjects) {
    const Kernel empty = kernel("empty");
    check(driver::cuLibraryUnload(library));
    EXPECT_THAT(message_of<Error>([&] { launch(stream, {}, empty); }), HasSubstr("CUDA_ERROR_INVALID_HANDLE"));
}

TEST_F(LaunchRefusalTest, DoesNotBlameTheLaunchForEarlierWork) {
    sim::define_kernel("other", [](const sim::Launch&) { throw std::runtime_error("broken"); });
    launch(stream, {}, kernel("other"));
    EXPECT_THROW(stream.synchronize(), Error);
    EXPECT_THAT(message_of<Error>([&] { launch(stream, {.grid = 0}, kernel("empty")); }),
                AllOf(HasSubstr("CUDA_ERROR_LAUNCH_FAILED"), Not(HasSubstr("grid"))));
}

}  // namespace
}  // namespace cubind::testing

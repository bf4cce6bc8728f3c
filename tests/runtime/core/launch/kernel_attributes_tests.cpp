// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/launch/kernel_attributes.hpp>

#include "code_test.hpp"

namespace cubind::testing {
namespace {

class KernelAttributesTest : public CodeTest {};

TEST_F(KernelAttributesTest, ReturnsTheValuesOfTheCode) {
    const ObjectCode one = code();
    const KernelAttributes tiled = one.kernel("tiled").attributes();
    EXPECT_EQ(tiled.device(), Device(0));
    EXPECT_EQ(tiled.max_threads_per_block(), 256);
    EXPECT_EQ(tiled.shared_size_bytes(), 1024u);
    EXPECT_EQ(tiled.const_size_bytes(), 64u);
    EXPECT_EQ(tiled.local_size_bytes(), 0u);
    EXPECT_GT(tiled.num_regs(), 0);
    EXPECT_EQ(tiled.ptx_version(), 90);
    EXPECT_EQ(tiled.binary_version(), 90);
    EXPECT_FALSE(tiled.cache_mode_ca());
    EXPECT_EQ(tiled.max_dynamic_shared_size_bytes(), 48u * 1024 - 1024);
    EXPECT_EQ(tiled.preferred_shared_memory_carveout(), -1);
    EXPECT_FALSE(tiled.cluster_size_must_be_set());
    EXPECT_FALSE(tiled.non_portable_cluster_size_allowed());
    EXPECT_EQ(tiled.cluster_scheduling_policy_preference(), driver::CU_CLUSTER_SCHEDULING_POLICY_DEFAULT);
    const KernelAttributes clustered = one.kernel("clustered").attributes();
    EXPECT_TRUE(clustered.cluster_size_must_be_set());
    EXPECT_EQ(clustered.required_cluster_width(), 2);
    EXPECT_EQ(clustered.required_cluster_height(), 1);
    EXPECT_EQ(clustered.required_cluster_depth(), 1);
    EXPECT_EQ(driver::cuCtxGetCurrent().value, nullptr);
}

TEST_F(KernelAttributesTest, SetsValuesForAllCopiesOnOneDevice) {
    const ObjectCode one = code();
    const Kernel kernel = one.kernel("tiled");
    kernel.attributes(Device(1)).set_max_dynamic_shared_size_bytes(100 << 10);
    EXPECT_EQ(one.kernel("tiled").attributes(Device(1)).max_dynamic_shared_size_bytes(), 100u << 10);
    EXPECT_EQ(kernel.attributes(Device(0)).max_dynamic_shared_size_bytes(), 48u * 1024 - 1024);
}

TEST_F(KernelAttributesTest, SetsEverySettableAttribute) {
    const KernelAttributes saxpy = code().kernel("saxpy").attributes();
    saxpy.set_preferred_shared_memory_carveout(50);
    EXPECT_EQ(saxpy.preferred_shared_memory_carveout(), 50);
    saxpy.set_required_cluster_width(4);
    saxpy.set_required_cluster_height(2);
    saxpy.set_required_cluster_depth(1);
    EXPECT_EQ(saxpy.required_cluster_width(), 4);
    EXPECT_EQ(saxpy.required_cluster_height(), 2);
    EXPECT_EQ(saxpy.required_cluster_depth(), 1);
    saxpy.set_non_portable_cluster_size_allowed(true);
    EXPECT_TRUE(saxpy.non_portable_cluster_size_allowed());
    saxpy.set_cluster_scheduling_policy_preference(driver::CU_CLUSTER_SCHEDULING_POLICY_SPREAD);
    EXPECT_EQ(saxpy.cluster_scheduling_policy_preference(), driver::CU_CLUSTER_SCHEDULING_POLICY_SPREAD);
}

TEST_F(KernelAttributesTest, NamesRefusedValuesAndTheAllowedOnes) {
    const ObjectCode one = code();
    const KernelAttributes tiled = one.kernel("tiled").attributes();
    const auto message = [](const std::function<void()>& operation) { return message_of<std::invalid_argument>(operation); };
    EXPECT_THAT(message([&] { tiled.set_max_dynamic_shared_size_bytes(232448); }),
                AllOf(HasSubstr("MAX_DYNAMIC_SHARED_SIZE_BYTES"), HasSubstr("\"tiled\""), HasSubstr("232448 on device 0"),
                      HasSubstr("at most 231424 bytes"), HasSubstr("1024")));
    EXPECT_THAT(message([&] { tiled.set_max_dynamic_shared_size_bytes(std::size_t{1} << 40); }),
                HasSubstr("at most 231424 bytes"));
    EXPECT_THAT(message([&] { tiled.set_preferred_shared_memory_carveout(101); }), HasSubstr("0 to 100 percent"));
    EXPECT_THAT(message([&] { one.kernel("clustered").attributes().set_required_cluster_width(4); }),
                HasSubstr("declares no cluster"));
    EXPECT_THAT(message([&] { tiled.set_required_cluster_height(-1); }), HasSubstr("0 or more"));
    EXPECT_THAT(
        message([&] { tiled.set_cluster_scheduling_policy_preference(static_cast<driver::CUclusterSchedulingPolicy>(77)); }),
        HasSubstr("CUclusterSchedulingPolicy"));
    EXPECT_THAT(message([&] { tiled.set(driver::CU_FUNC_ATTRIBUTE_NUM_REGS, 16); }), HasSubstr("read-only"));
    EXPECT_EQ(tiled.max_dynamic_shared_size_bytes(), 48u * 1024 - 1024) << "the attribute has not changed";
}

TEST_F(KernelAttributesTest, ReportsEachCallThatFailsInASweep) {
    const Kernel kernel = code().kernel("tiled");
    sweep([&] { (void)kernel.attributes(Device(1)).num_regs(); }, current_device);
    sweep([&] { kernel.attributes().set_preferred_shared_memory_carveout(10); }, current_device);
    sweep(
        [&] {
            try {
                kernel.attributes().set_max_dynamic_shared_size_bytes(1 << 20);
            } catch (const std::invalid_argument&) {
            }
        },
        {"cuCtxGetDevice", "cuKernelSetAttribute"});
}

}  // namespace
}  // namespace cubind::testing

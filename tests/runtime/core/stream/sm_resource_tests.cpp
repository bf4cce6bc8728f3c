// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/device_resources.hpp>

#include "core_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class SmResourceTest : public CoreTest {
protected:
    static SmResource all() { return Device(0).resources().sm(); }
};

TEST_F(SmResourceTest, HasTheMultiprocessorsOfTheDevice) {
    const SmResource sm = Device(1).resources().sm();
    EXPECT_EQ(sm.count(), 132u);
    EXPECT_EQ(sm.min_partition_size(), 8u);
    EXPECT_EQ(sm.coscheduled_alignment(), 8u);
    EXPECT_EQ(sm.flags(), 0u);
    EXPECT_EQ(sm.device(), Device(1));
    EXPECT_FALSE(sm.is_empty());
    EXPECT_EQ(Device(1).primary_context().resources().sm().count(), 132u);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(SmResourceTest, SplitsByCountIntoGroupsAndARemainder) {
    const SmSplit split = all().split({.count = 16, .groups = 2});
    ASSERT_EQ(split.groups.size(), 2u);
    for (const SmResource& group : split.groups) {
        EXPECT_EQ(group.count(), 16u);
        EXPECT_EQ(group.device(), Device(0));
    }
    EXPECT_EQ(split.remainder.count(), 100u);
}

TEST_F(SmResourceTest, RoundsTheCountUpAndCreatesAllGroupsThatFit) {
    const SmSplit split = all().split({.count = 17});
    ASSERT_EQ(split.groups.size(), 5u);
    EXPECT_EQ(split.groups[4].count(), 24u);
    EXPECT_EQ(split.remainder.count(), 12u);
    EXPECT_EQ(all().max_groups({.count = 1}), 15u) << "12 of the SMs are in no set of 8 that are scheduled together";
    EXPECT_EQ(all().max_groups({.count = 16}), 8u) << "a larger group may have some of the 12";
    EXPECT_EQ(all().max_groups({.count = 1, .ignore_coscheduling = true}), 66u);
}

TEST_F(SmResourceTest, CreatesOneGroupOfAllMultiprocessorsIfTheRoundedCountExceedsThem) {
    EXPECT_EQ(all().max_groups({.count = 129}), 1u) << "the driver rounds it up to 136";
    const SmSplit split = all().split({.count = 131, .groups = 1});
    EXPECT_EQ(split.groups[0].count(), 132u);
    EXPECT_TRUE(split.remainder.is_empty());
    EXPECT_EQ(all().split({.count = 128}).remainder.count(), 4u);
}

TEST_F(SmResourceTest, HasAnEmptyRemainderIfTheGroupsHaveAllMultiprocessors) {
    const SmSplit split = all().split({.count = 66, .groups = 2, .ignore_coscheduling = true});
    EXPECT_EQ(split.groups[1].count(), 66u);
    EXPECT_TRUE(split.remainder.is_empty());
    EXPECT_TRUE(SmResource().is_empty());
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)split.remainder.split({.count = 2}); }), HasSubstr("empty"));
}

TEST_F(SmResourceTest, RejectsCountsThatDoNotFit) {
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)all().split({}); }), HasSubstr("at least 1"));
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)all().split({.count = 133}); }),
                AllOf(HasSubstr("133"), HasSubstr("132")));
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)all().split({.count = 64, .groups = 3}); }),
                AllOf(HasSubstr("132 SMs"), HasSubstr("3 groups of 64"), HasSubstr("2 fit"), HasSubstr("multiple of 8")));
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)all().split({.count = 132, .groups = 2}); }), HasSubstr("1 fit"));
}

TEST_F(SmResourceTest, RejectsOptionsThatExcludeEachOther) {
    const SmSplitOptions options{.count = 8, .ignore_coscheduling = true, .max_potential_cluster_size = true};
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)all().split(options); }),
                AllOf(HasSubstr("ignore_coscheduling"), HasSubstr("max_potential_cluster_size")));
    EXPECT_THROW((void)all().max_groups(options), std::invalid_argument);
    EXPECT_EQ(all().max_groups({.count = 8, .max_potential_cluster_size = true}), 15u);
}

TEST_F(SmResourceTest, AdvisesAgainstASplitOfAGroup) {
    const SmSplit split = all().split({.count = 64, .groups = 1});
    EXPECT_THAT(message_of<Error>([&] { (void)split.groups[0].split({.count = 8}); }),
                AllOf(HasSubstr("INVALID_RESOURCE_CONFIGURATION"), HasSubstr("GreenContext")));
}

TEST_F(SmResourceTest, SplitsIntoStructuredGroups) {
    const SmSplit split = all().split_structured({{.count = 32, .coscheduled_count = 16}, {.count = 10, .backfill = true}, {}});
    ASSERT_EQ(split.groups.size(), 3u);
    EXPECT_EQ(split.groups[0].count(), 32u);
    EXPECT_EQ(split.groups[0].coscheduled_alignment(), 16u);
    EXPECT_EQ(split.groups[1].count(), 10u);
    EXPECT_EQ(split.groups[1].flags(), unsigned{driver::CU_DEV_SM_RESOURCE_GROUP_BACKFILL});
    EXPECT_EQ(split.groups[2].count(), 88u);
    EXPECT_EQ(split.remainder.count(), 2u);
}

TEST_F(SmResourceTest, ReturnsTheGroupsThatASplitWouldCreate) {
    const std::vector<SmGroup> groups = all().discover({{.count = 32}, {.coscheduled_count = 16}, {.coscheduled_count = 32}});
    ASSERT_EQ(groups.size(), 3u);
    EXPECT_EQ(groups[0], (SmGroup{.count = 32, .coscheduled_count = 8, .preferred_coscheduled_count = 8}));
    EXPECT_EQ(groups[1], (SmGroup{.count = 96, .coscheduled_count = 16, .preferred_coscheduled_count = 16}));
    EXPECT_EQ(groups[2].count, 0u);
    EXPECT_THAT(message_of<Error>([] {
                    (void)all().split_structured({{.count = 132, .backfill = true}, {}});
                }),
                AllOf(HasSubstr("132 SMs"), HasSubstr("discover()")));
}

TEST_F(SmResourceTest, RejectsStructuredGroupsThatBreakARule) {
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)all().split_structured({}); }), HasSubstr("at least one"));
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)all().split_structured({{.count = 134}}); }),
                AllOf(HasSubstr("134"), HasSubstr("132")));
    EXPECT_THAT(message_of<std::invalid_argument>([] {
                    (void)all().split_structured({{.count = 16}, {.count = 9}});
                }),
                AllOf(HasSubstr("9 of group 1"), HasSubstr("multiple of 2")));
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)all().discover({{.count = 24, .coscheduled_count = 16}}); }),
                AllOf(HasSubstr("24"), HasSubstr("16"), HasSubstr("backfill")));
    EXPECT_THAT(message_of<std::invalid_argument>([] {
                    (void)all().split_structured({{.count = 128}, {.count = 8}});
                }),
                AllOf(HasSubstr("136"), HasSubstr("132")));
    EXPECT_THROW((void)all().split_structured({{.count = 64, .coscheduled_count = 64}}), Error);
}

TEST_F(SmResourceTest, IsCreatedFromTheNativeStruct) {
    const SmResource copy(Device(0), all().native());
    EXPECT_EQ(copy.count(), 132u);
    EXPECT_EQ(copy.split({.count = 8, .groups = 1}).remainder.count(), 124u);
    const driver::CUdevResource queues = Device(0).resources().workqueue().native();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)SmResource(Device(0), queues); }), HasSubstr("1000"));
    EXPECT_THROW((void)WorkqueueResource(copy.native()), std::invalid_argument);
    EXPECT_EQ(WorkqueueResource(queues).device(), Device(0));
}

TEST_F(SmResourceTest, ConfiguresWorkQueues) {
    WorkqueueResource queues = Device(1).resources().workqueue();
    EXPECT_EQ(queues.device(), Device(1));
    EXPECT_EQ(queues.sharing_scope(), driver::CU_WORKQUEUE_SCOPE_DEVICE_CTX);
    const unsigned int limit = queues.concurrency_limit();
    EXPECT_GE(limit, 1u);
    queues.configure({.sharing_scope = driver::CU_WORKQUEUE_SCOPE_GREEN_CTX_BALANCED});
    EXPECT_EQ(queues.sharing_scope(), driver::CU_WORKQUEUE_SCOPE_GREEN_CTX_BALANCED);
    EXPECT_EQ(queues.concurrency_limit(), limit);
    queues.configure({.concurrency_limit = 2});
    EXPECT_EQ(queues.concurrency_limit(), 2u);
    WorkqueueResource none;
    EXPECT_TRUE(none.is_empty());
    EXPECT_THROW(none.configure({}), std::invalid_argument);
    EXPECT_THROW((void)none.device(), std::invalid_argument);
}

TEST_F(SmResourceTest, NeedsADriverThatHasTheResources) {
    sim::install({.release = "12.3"});
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)Device(0).resources().sm(); }),
                AllOf(HasSubstr("12.4"), HasSubstr("12.3")));
    sim::install({.release = "13.0"});
    const SmResource sm = Device(0).resources().sm();
    const SmSplit split = sm.split({.count = 64, .groups = 2});
    EXPECT_EQ(split.remainder.count(), 4u);
    EXPECT_EQ(split.groups[0].coscheduled_alignment(), 0u);
    EXPECT_EQ(split.groups[0].min_partition_size(), 0u);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)sm.split_structured({{.count = 64}}); }), HasSubstr("13.1"));
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)Device(0).resources().workqueue(); }), HasSubstr("13.1"));
}

TEST_F(SmResourceTest, HasTheGranularityOfTheComputeCapability) {
    const auto granularity = [](int major) {
        sim::install({.major = major, .minor = 0});
        const SmResource sm = all();
        return std::pair(sm.min_partition_size(), sm.coscheduled_alignment());
    };
    EXPECT_EQ(granularity(7), std::pair(2u, 2u));
    EXPECT_EQ(granularity(8), std::pair(4u, 2u));
    EXPECT_EQ(granularity(10), std::pair(8u, 8u));
}

TEST_F(SmResourceTest, ReportsAFailureOfEachCall) {
    EXPECT_GE(sweep([] {
                  const Device device(1);
                  const SmResource sm = device.resources().sm();
                  (void)device.primary_context().resources().sm();
                  (void)sm.split({.count = 16, .groups = 2});
                  (void)sm.max_groups({.count = 16});
                  (void)sm.split_structured({{.count = 16}});
                  (void)sm.discover({{}});
                  WorkqueueResource queues = device.resources().workqueue();
                  queues.configure({.concurrency_limit = 1});
                  (void)queues.device();
              }),
              10u);
}

}  // namespace
}  // namespace cubind::testing

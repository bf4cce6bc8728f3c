// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/event.hpp>
#include <cubind/driver/availability.hpp>
#include <cubind/driver/reflection.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "launch/native_launch.hpp"
#include "launch_test.hpp"

namespace cubind::testing {
namespace {

using namespace driver;

/// Copies the attributes of each launch, and writes `node` to the attribute that returns a graph node.
class Attributes final : public layers::Layer {
public:
    void handle(const cubind::Call& call, const layers::Next& next) noexcept override {
        if (call.function.symbol == std::string_view("cuLaunchKernelEx")) {
            const auto& config = **static_cast<CUlaunchConfig* const*>(call.arguments[0]);
            for (unsigned i = 0; i < config.numAttrs; ++i) {
                seen[config.attrs[i].id] = config.attrs[i].value;
                if (config.attrs[i].id == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE)
                    config.attrs[i].value.deviceUpdatableKernelNode.devNode = node;
            }
            if (is_end) return;
        }
        next(call);
    }

    std::map<CUlaunchAttributeID, CUlaunchAttributeValue> seen;
    CUgraphDeviceNode node = reinterpret_cast<CUgraphDeviceNode>(0x77);
    bool is_end = true;
};

class LaunchAttributeTest : public LaunchTest {
protected:
    void SetUp() override { layers::push(attributes); }
    void TearDown() override { layers::remove(attributes); }

    LaunchConfig all() {
        return {
            .cluster = {1, 2, 4},
            .cooperative = true,
            .programmatic_stream_serialization = true,
            .priority = -3,
            .access_policy_window = AccessPolicyWindow{.data = &node,
                                                       .size = 99,
                                                       .hit_ratio = 0.5f,
                                                       .hit = CU_ACCESS_PROPERTY_NORMAL,
                                                       .miss = CU_ACCESS_PROPERTY_PERSISTING},
            .preferred_shared_memory_carveout = 40,
            .preferred_cluster = {2, 4, 8},
            .cluster_scheduling_policy_preference = CU_CLUSTER_SCHEDULING_POLICY_SPREAD,
            .portable_cluster_size_mode = CU_LAUNCH_PORTABLE_CLUSTER_MODE_ALLOW_NON_PORTABLE,
            .shared_memory_mode = CU_SHARED_MEMORY_MODE_REQUIRE_PORTABLE,
            .mem_sync_domain = CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE,
            .mem_sync_domain_map = MemSyncDomainMap{2, 3},
            .programmatic_event = ProgrammaticEvent{event, CU_EVENT_RECORD_EXTERNAL, true},
            .launch_completion_event = LaunchCompletionEvent{other_event},
            .nvlink_util_centric_scheduling = true,
            .device_updatable_kernel_node = &node,
        };
    }

    Attributes attributes;
    Event event{Device(0)};
    Event other_event{Device(0)};
    CUgraphDeviceNode node = nullptr;
};

TEST_F(LaunchAttributeTest, PassesAllToTheDriver) {
    launch(stream, all(), kernel("empty"));
    auto& seen = attributes.seen;
    const auto& cluster = seen[CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION].clusterDim;
    EXPECT_EQ(Dim3(cluster.x, cluster.y, cluster.z), Dim3(1, 2, 4));
    const auto& preferred = seen[CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION].preferredClusterDim;
    EXPECT_EQ(Dim3(preferred.x, preferred.y, preferred.z), Dim3(2, 4, 8));
    EXPECT_EQ(seen[CU_LAUNCH_ATTRIBUTE_COOPERATIVE].cooperative, 1);
    EXPECT_EQ(seen[CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION].programmaticStreamSerializationAllowed, 1);
    EXPECT_EQ(seen[CU_LAUNCH_ATTRIBUTE_PRIORITY].priority, -3);
    const auto& window = seen[CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW].accessPolicyWindow;
    EXPECT_EQ(window.base_ptr, &node);
    EXPECT_EQ(window.num_bytes, 99u);
    EXPECT_EQ(window.hitRatio, 0.5f);
    EXPECT_EQ(window.hitProp, CU_ACCESS_PROPERTY_NORMAL);
    EXPECT_EQ(window.missProp, CU_ACCESS_PROPERTY_PERSISTING);
    EXPECT_EQ(seen[CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT].sharedMemCarveout, 40u);
    EXPECT_EQ(seen[CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE].clusterSchedulingPolicyPreference,
              CU_CLUSTER_SCHEDULING_POLICY_SPREAD);
    EXPECT_EQ(seen[CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE].portableClusterSizeMode,
              CU_LAUNCH_PORTABLE_CLUSTER_MODE_ALLOW_NON_PORTABLE);
    EXPECT_EQ(seen[CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE].sharedMemoryMode, CU_SHARED_MEMORY_MODE_REQUIRE_PORTABLE);
    EXPECT_EQ(seen[CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN].memSyncDomain, CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE);
    EXPECT_EQ(seen[CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP].memSyncDomainMap.default_, 2);
    EXPECT_EQ(seen[CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP].memSyncDomainMap.remote, 3);
    const auto& programmatic = seen[CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT].programmaticEvent;
    EXPECT_EQ(programmatic.event, event.native_handle());
    EXPECT_EQ(programmatic.flags, CU_EVENT_RECORD_EXTERNAL);
    EXPECT_EQ(programmatic.triggerAtBlockStart, 1);
    EXPECT_EQ(seen[CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT].launchCompletionEvent.event, other_event.native_handle());
    EXPECT_EQ(seen[CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT].launchCompletionEvent.flags, CU_EVENT_RECORD_DEFAULT);
    EXPECT_EQ(seen[CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING].nvlinkUtilCentricScheduling, 1u);
    EXPECT_EQ(seen[CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE].deviceUpdatableKernelNode.deviceUpdatable, 1);
    EXPECT_EQ(node, attributes.node) << "the driver wrote it";
}

const reflection::Type& attribute_ids() {
    const auto& functions = driver::reflection().functions;
    const auto launch = std::ranges::find(functions, std::string_view("cuLaunchKernelEx"), &reflection::Function::symbol);
    const reflection::Type& config = *launch->parameters[0].type->inner;
    const auto attributes = std::ranges::find(config.fields, std::string_view("attrs"), &reflection::Field::name);
    return *attributes->type->inner->fields[0].type;
}

// An attribute of a new release must become a member of LaunchConfig, or be erased here with the reason.
TEST_F(LaunchAttributeTest, CoversAllOfTheSpec) {
    std::set<std::string> expected;
    for (const reflection::Enumerator& each : attribute_ids().enumerators) expected.insert(each.name);
    ASSERT_GE(expected.size(), 18u);
    expected.erase("CU_LAUNCH_ATTRIBUTE_IGNORE");                  // sets nothing
    expected.erase("CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY");  // only streams have it: StreamRef::set_attribute
    launch(stream, all(), kernel("empty"));
    std::set<std::string> seen;
    for (const auto& [id, value] : attributes.seen) seen.insert(to_string(id));
    EXPECT_EQ(seen, expected);
    EXPECT_EQ(seen.size(), detail::NativeLaunch::max_attributes) << "all attributes together fill the array";
}

TEST_F(LaunchAttributeTest, HasItsReleaseFromTheSpec) {
    for (const reflection::Enumerator& each : attribute_ids().enumerators) {
        const auto id = static_cast<CUlaunchAttributeID>(each.value);
        if (const int release = detail::first_release_of(id); release != 0) {
            EXPECT_EQ(release, availability(each.name).since) << each.name;
        }
    }
    EXPECT_EQ(detail::first_release_of(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION), 12000);
    EXPECT_EQ(detail::first_release_of(CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT), 12030);
    EXPECT_EQ(detail::first_release_of(CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE), 12040);
    EXPECT_EQ(detail::first_release_of(CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT), 12050);
    EXPECT_EQ(detail::first_release_of(CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION), 12080);
    EXPECT_EQ(detail::first_release_of(CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING), 13000);
    EXPECT_EQ(detail::first_release_of(CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE), 13020);
    EXPECT_EQ(detail::first_release_of(CU_LAUNCH_ATTRIBUTE_IGNORE), 0);
}

TEST_F(LaunchAttributeTest, IsNotPassedUnlessSet) {
    launch(stream, {}, kernel("empty"));
    EXPECT_TRUE(attributes.seen.empty());
    launch(stream, {.cluster = {1, 1, 1}, .shared_memory_mode = CU_SHARED_MEMORY_MODE_DEFAULT}, kernel("empty"));
    EXPECT_TRUE(attributes.seen.empty());
    launch(stream, {.nvlink_util_centric_scheduling = false}, kernel("empty"));
    ASSERT_EQ(attributes.seen.size(), 1u);
    EXPECT_EQ(attributes.seen[CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING].nvlinkUtilCentricScheduling, 0u);
}

TEST_F(LaunchAttributeTest, IsAcceptedByTheDriver) {
    attributes.is_end = false;
    LaunchConfig config = all();
    config.grid = {2, 4, 8};
    config.cooperative = false;
    config.programmatic_event->flags = CU_EVENT_RECORD_DEFAULT;
    config.device_updatable_kernel_node = nullptr;
    launch(stream, config, kernel("empty"));
    EXPECT_EQ(launched().cluster, (sim::Extent3{1, 2, 4}));
    EXPECT_TRUE(event.is_done());
}

TEST_F(LaunchAttributeTest, RefusesAnEventThatWasMovedFrom) {
    const Event moved = std::move(event);
    EXPECT_THAT(message_of<std::invalid_argument>(
                    [&] { launch(stream, {.programmatic_event = ProgrammaticEvent{event}}, kernel("empty")); }),
                HasSubstr("Event"));
}

}  // namespace
}  // namespace cubind::testing

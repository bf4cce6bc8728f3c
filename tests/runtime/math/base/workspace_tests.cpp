// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/core/graph/graph_builder.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "foreign_capture.hpp"
#include "gate.hpp"
#include "math_test.hpp"
#include "plan/checked.hpp"
#include "plan/plan_state.hpp"
#include "plan/workspace.hpp"

namespace cubind::testing {
namespace {

using math::detail::Workspace;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// Memory of the default resource that no capture records. Counts the allocations that exist.
class Uncaptured : public MemoryResourceBase {
public:
    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size, std::size_t alignment) override {
        ++living;
        ++allocations;
        return upstream_.base()->allocate(stream, size, alignment);
    }
    void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size, std::size_t alignment) override {
        --living;
        upstream_.base()->deallocate(stream, pointer, size, alignment);
    }
    bool is_device_accessible() const noexcept override { return true; }
    bool is_host_accessible() const noexcept override { return false; }
    std::optional<Device> device() const noexcept override { return Device(0); }

    std::atomic<int> living = 0;
    std::atomic<int> allocations = 0;

private:
    MemoryResource upstream_ = Device(0).memory_resource();
};

class WorkspaceTest : public CoreTest {
protected:
    std::shared_ptr<Uncaptured> memory_ = std::make_shared<Uncaptured>();
    Stream stream_{Device(0)};
};

TEST_F(WorkspaceTest, IsAllocatedByTheFirstUseAndKept) {
    Workspace workspace(Device(0), MemoryResource(memory_));
    EXPECT_EQ(workspace.use(stream_, 0).data(), nullptr);
    EXPECT_EQ(memory_->allocations, 0);
    void* const first = workspace.use(stream_, 1000).data();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 256, 0u);
    EXPECT_EQ(workspace.use(stream_, 1000).data(), first);
    EXPECT_EQ(workspace.use(stream_, 1).data(), first);
    EXPECT_EQ(memory_->allocations, 1);
    EXPECT_NE(Workspace(Device(1), std::nullopt).use(Stream{Device(1)}, 10).data(), nullptr);
}

TEST_F(WorkspaceTest, GrowsInStreamOrder) {
    Workspace workspace(Device(0), MemoryResource(memory_));
    {
        Gate gate(stream_);
        (void)workspace.use(stream_, 100);
        (void)workspace.use(stream_, 200);  // does not wait
        EXPECT_EQ(memory_->allocations, 2);
        EXPECT_EQ(memory_->living, 1);
        EXPECT_FALSE(stream_.is_done());
        void* const grown = workspace.use(stream_, 150).data();
        EXPECT_EQ(workspace.use(stream_, 200).data(), grown);
    }
    EXPECT_EQ(memory_->allocations, 2);
}

TEST_F(WorkspaceTest, IsUsedByASecondStreamAfterTheFirst) {
    Workspace workspace(Device(0), MemoryResource(memory_));
    Stream second{Device(0)};
    {
        const Gate gate(stream_);
        void* const first = workspace.use(stream_, 100).data();
        EXPECT_EQ(workspace.use(second, 100).data(), first);
        EXPECT_FALSE(second.is_done()) << "it waits for the first stream";
        EXPECT_EQ(workspace.use(second, 50).data(), first);
    }
    second.synchronize();
    {
        const Gate gate(second);
        (void)workspace.use(stream_, 100);
        EXPECT_FALSE(stream_.is_done()) << "and in the other direction";
    }
    stream_.synchronize();
    EXPECT_EQ(memory_->allocations, 1);
}

TEST_F(WorkspaceTest, IsUsedAfterItsStreamIsDestroyed) {
    Workspace workspace(Device(0), MemoryResource(memory_));
    auto gate = std::make_unique<Gate>();
    {
        const Stream first{Device(0)};
        first.launch_host_function(gate->blocker());
        (void)workspace.use(first, 100);
    }
    (void)workspace.use(stream_, 100);
    EXPECT_FALSE(stream_.is_done());
    gate.reset();
    stream_.synchronize();
    Device(0).set_current();  // for default streams
    (void)workspace.use(StreamRef::per_thread_default(), 100);
    (void)workspace.use(Device(0).default_stream(), 100);
    (void)workspace.use(stream_, 100);
    EXPECT_EQ(memory_->allocations, 1);
}

TEST_F(WorkspaceTest, IsDestroyedWhileWorkRuns) {
    auto workspace = std::make_unique<Workspace>(Device(0), std::nullopt);
    Stream second{Device(0)};
    const std::size_t before = Device(0).memory_info().free;
    {
        const Gate gate(second);
        (void)workspace->use(stream_, 1 << 20);
        (void)workspace->use(second, 1 << 20);
        workspace.reset();
        EXPECT_FALSE(second.is_done());
    }
    second.synchronize();
    stream_.synchronize();
    EXPECT_LE(before - Device(0).memory_info().free, std::size_t{64} << 20);
}

TEST_F(WorkspaceTest, IsOfTheGraphInACapture) {
    Workspace workspace(Device(0), std::nullopt);
    void* const outside = workspace.use(stream_, 100).data();
    GraphBuilder builder{Device(0)};
    builder.begin_building();
    {
        const Workspace::Use captured = workspace.use(builder, 100);
        EXPECT_NE(captured.data(), outside);
        EXPECT_NE(captured.data(), nullptr);
    }
    builder.end_building();
    EXPECT_EQ(check(driver::cuGraphGetNodes(builder.native_handle(), nullptr, 0)), 2u) << "an allocation and a free";
    const Graph graph = builder.complete();
    graph.launch(stream_);
    graph.launch(stream_);
    stream_.synchronize();
    EXPECT_EQ(workspace.use(stream_, 100).data(), outside);
}

TEST_F(WorkspaceTest, IsRetainedByTheGraphIfItsMemoryIsNotCaptured) {
    Workspace workspace(Device(0), MemoryResource(memory_));
    GraphBuilder builder{Device(0)};
    builder.begin_building();
    (void)workspace.use(builder, 100);
    builder.end_building();
    EXPECT_EQ(memory_->living, 1);
    {
        const Graph graph = builder.complete();
        builder.close();
        graph.launch(stream_);
        stream_.synchronize();
        EXPECT_EQ(memory_->living, 1) << "launches use it";
    }
    destroy_deferred_objects();
    EXPECT_EQ(memory_->living, 0);

    Device(0).set_current();
    ForeignCapture capture(stream_.native_handle());
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)workspace.use(stream_, 100); }),
                AllOf(HasSubstr("memory resource"), HasSubstr("GraphBuilder")));
    check(driver::cuGraphExecDestroy(capture.instantiate()));
    EXPECT_EQ(memory_->living, 0);
}

TEST_F(WorkspaceTest, DoesNotJoinACaptureOfItsLatestStream) {
    Workspace workspace(Device(0), std::nullopt);
    Stream second{Device(0)};
    (void)workspace.use(stream_, 100);
    GraphBuilder builder(stream_);
    builder.begin_building();
    (void)workspace.use(second, 100);
    EXPECT_FALSE(second.is_capturing());
    (void)workspace.use(second, 200);
    builder.end_building();
    EXPECT_EQ(check(driver::cuGraphGetNodes(builder.native_handle(), nullptr, 0)), 0u);
}

TEST_F(WorkspaceTest, ReportsEachFailureAndRemainsUsable) {
    const Stream second{Device(0)};
    EXPECT_GT(sweep(
                  [&] {
                      Workspace workspace(Device(0), std::nullopt);
                      (void)workspace.use(stream_, 100);
                      (void)workspace.use(second, 100);
                      (void)workspace.use(second, 1000);
                      GraphBuilder builder{Device(0)};
                      builder.begin_building();
                      (void)workspace.use(builder, 100);
                      builder.end_building();
                  },
                  {"cuStreamIsCapturing", "cuStreamGetCaptureInfo"}),
              6u);
}

// ---- calls of plans ------------------------------------------------------------------------------------------------------

class PlanCallTest : public WorkspaceTest {};

TEST_F(PlanCallTest, HasTheContextOfItsStream) {
    math::detail::PlanState plan(Device(0), {});
    {
        const math::detail::PlanCall call("product", plan, stream_);
        EXPECT_EQ(call.context(), Device(0).primary_context().native_handle());
        EXPECT_EQ(call.stream(), stream_.native_handle());
        EXPECT_EQ(ContextRef::current(), Device(0).primary_context());
    }
    EXPECT_FALSE(ContextRef::current());
    const Context context(Device(0));
    {
        std::optional<ScopedContext> scope(std::in_place, context);
        const Stream of_context{Device(0)};
        scope.reset();
        const math::detail::PlanCall call("product", plan, of_context);
        EXPECT_EQ(call.context(), context.native_handle());
        EXPECT_EQ(ContextRef::current(), ContextRef(context));
    }
    {
        const math::detail::PlanCall call("product", plan, Device(0).default_stream());
        EXPECT_EQ(ContextRef::current(), Device(0).primary_context());
    }
    const Stream other{Device(1)};
    EXPECT_THAT(message_of<std::invalid_argument>([&] { const math::detail::PlanCall call("product", plan, other); }),
                AllOf(HasSubstr("product: the stream is of device 1"), HasSubstr("device 0")));
}

TEST_F(PlanCallTest, ExcludesOtherCalls) {
    math::detail::PlanState plan(Device(0), {});
    std::atomic<int> inside = 0;
    std::atomic<bool> was_alone = true;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            const Stream stream{Device(0)};
            for (int k = 0; k < 200; ++k) {
                const math::detail::PlanCall call("product", plan, stream);
                if (++inside != 1) was_alone = false;
                const auto memory = plan.workspace.use(stream, 64 + static_cast<std::size_t>(k));
                if (memory.data() == nullptr) was_alone = false;
                --inside;
            }
        });
    }
    for (std::thread& each : threads) each.join();
    EXPECT_TRUE(was_alone);
}

}  // namespace
}  // namespace cubind::testing

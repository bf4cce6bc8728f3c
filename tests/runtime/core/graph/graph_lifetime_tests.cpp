// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Objects that a graph uses are retained until its last launch is done, regardless of when the graph and the streams are
// destroyed.

#include <cubind/check.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/stream.hpp>
#include <cubind/driver/strings.hpp>
#include <cubind/layers/layer.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core_test.hpp"
#include "gate.hpp"
#include "waiting_launches.hpp"

namespace cubind::testing {
namespace {

class GraphLifetimeTest : public CoreTest {};

TEST_F(GraphLifetimeTest, RetainsItsObjectsUntilItsLaunchesAreDone) {
    expect_retained_until_done(Stream(Device()));
    Device().set_current();
    expect_retained_until_done_on_foreign_streams();
}

TEST_F(GraphLifetimeTest, ReleasesItsObjectsInCallsThatWait) {
    const Device device;
    const Stream stream{device};
    const std::function<void()> waits[] = {
        [&] { stream.synchronize(); },
        [&] { device.synchronize(); },
        [&] { stream.record().synchronize(); },
        [&] { EXPECT_TRUE(eventually([&] { return stream.is_done(); })); },
        [&] {
            const Event event = stream.record();
            EXPECT_TRUE(eventually([&] { return event.is_done(); }));
        },
    };
    for (int round = 0; round < 20; ++round) {
        for (const auto& wait : waits) {
            WaitingLaunches launches(stream);
            launches.start();
            wait();
            EXPECT_FALSE(launches.is_retained());
        }
    }
}

TEST_F(GraphLifetimeTest, ReleasesItsObjectsInLaterGraphs) {
    const Stream stream{Device()};
    WaitingLaunches launches(stream);
    launches.start();
    check(driver::cuStreamSynchronize(stream.native_handle()));  // a wait that the high-level layer does not notice
    EXPECT_TRUE(launches.is_retained());
    const Graph next = counting(std::make_shared<std::atomic<int>>(0)).complete();
    EXPECT_FALSE(launches.is_retained());
}

TEST_F(GraphLifetimeTest, MayEndInAHostFunction) {
    const Stream stream{Device()};
    const auto held = std::make_shared<std::atomic<int>>(0);
    auto graph = std::make_unique<Graph>(counting(held).complete());
    Gate gate(stream);
    graph->launch(stream);
    const Stream other{Device()};
    other.launch_host_function([&] { graph.reset(); });  // the driver rejects every call there
    check(driver::cuStreamSynchronize(other.native_handle()));
    EXPECT_EQ(held.use_count(), 2) << "the launch has not completed";
    EXPECT_THAT(taken_cleanup_messages(), ::testing::ElementsAre(::testing::HasSubstr("destroy an executable graph")));
    (void)FailedCalls::get().take();  // the driver rejects the calls of the graph's destructor
    gate.open();
    stream.synchronize();
    EXPECT_EQ(*held, 1);
    EXPECT_EQ(held.use_count(), 1);
}

TEST_F(GraphLifetimeTest, MayOutliveTheStreamsOfItsLaunches) {
    Device().set_current();
    const auto held = std::make_shared<std::atomic<int>>(0);
    {
        const Graph graph = counting(held).complete();
        graph.launch(Stream(Device()));
        const driver::CUstream foreign = check(driver::cuStreamCreate(0));
        graph.launch(foreign);
        check(driver::cuStreamDestroy(foreign));
        std::thread([&graph] {
            Device().set_current();
            graph.launch(StreamRef::per_thread_default());
        }).join();
        graph.launch(Stream(Device()));
        graph.launch(Stream(Device()));
    }
    Device().synchronize();
    EXPECT_EQ(held.use_count(), 1);
    EXPECT_EQ(*held, 5);
}

TEST_F(GraphLifetimeTest, MayEndWhileItsStreamIsCapturing) {
    expect_retained_while_capturing(Stream(Device()));
}

TEST_F(GraphLifetimeTest, RetainsObjectsInTheDriverOnlyForANativeHandle) {
    const Stream stream{Device()};
    Device().set_current();
    const auto held = std::make_shared<std::atomic<int>>(0);
    layers::faults::start();
    layers::faults::fail("cuUserObjectCreate", driver::CUDA_ERROR_OUT_OF_MEMORY, layers::faults::every_call);
    GraphBuilder builder = counting(held);
    builder.complete().launch(stream);
    EXPECT_THROW((void)builder.native_handle(), OutOfMemory);
    layers::faults::stop();
    const driver::CUgraphExec foreign = check(driver::cuGraphInstantiateWithFlags(builder.native_handle(), 0));
    builder.close();
    check(driver::cuGraphLaunch(foreign, stream.native_handle()));
    stream.synchronize();
    EXPECT_EQ(*held, 2);
    EXPECT_EQ(held.use_count(), 2);
    check(driver::cuGraphExecDestroy(foreign));
    EXPECT_TRUE(eventually([&] {
        Device().synchronize();
        return held.use_count() == 1;
    })) << "the driver releases the object asynchronously";
}

TEST_F(GraphLifetimeTest, ReportsAFailureOfEachCall) {
    Device().set_current();
    // The queries of whether launches are done may fail, because they are repeated.
    const std::vector<std::string> queries = {"cuCtxGetDevice", "cuStreamIsCapturing", "cuStreamQuery", "cuEventQuery"};
    const GraphBuilder first = counting(std::make_shared<std::atomic<int>>(0));
    const GraphBuilder second = counting(std::make_shared<std::atomic<int>>(0));
    for (const StreamRef foreign : {StreamRef::legacy_default(), StreamRef::per_thread_default()}) {
        EXPECT_GE(sweep(
                      [&] {
                          const Stream stream{Device()};
                          const Graph graph = first.complete();
                          graph.upload(stream);
                          graph.launch(stream);
                          stream.synchronize();
                          graph.launch(foreign);
                          foreign.synchronize();
                          graph.update(second);
                          graph.launch(stream);
                          stream.synchronize();
                      },
                      queries),
                  15u);
    }
}

TEST_F(GraphLifetimeTest, ReportsAFailureOfEachCallWhileItRuns) {
    EXPECT_GE(sweep(
                  [] {
                      const Stream stream{Device()};
                      auto launches = std::make_unique<WaitingLaunches>(stream);
                      launches->start();
                      stream.synchronize();
                      EXPECT_EQ(launches->done(), WaitingLaunches::count);
                      EXPECT_TRUE(eventually([&] {
                          stream.synchronize();
                          return !launches->is_retained();
                      }));
                  },
                  {"cuCtxGetDevice", "cuStreamIsCapturing", "cuStreamQuery", "cuStreamGetCtx", "cuCtxGetCurrent",
                   "cuCtxPushCurrent_v2", "cuEventCreate", "cuEventRecord", "cuEventQuery"}),
              15u);
}

}  // namespace
}  // namespace cubind::testing

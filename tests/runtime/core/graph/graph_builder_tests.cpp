// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/driver/context.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/stream.hpp>
#include <cubind/driver/strings.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "core_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class GraphBuilderTest : public CoreTest {
protected:
    static std::size_t nodes(const GraphBuilder& builder) {
        return check(driver::cuGraphGetNodes(builder.native_handle(), nullptr, 0));
    }
};

TEST_F(GraphBuilderTest, CapturesWorkWithoutRunningIt) {
    const Stream stream{Device()};
    int calls = 0;
    GraphBuilder builder{Device()};
    EXPECT_FALSE(builder.is_building());
    builder.begin_building();
    EXPECT_TRUE(builder.is_building());
    builder.callback([&] { ++calls; });
    builder.callback([&] { calls *= 10; });
    builder.end_building();
    EXPECT_FALSE(builder.is_building());
    EXPECT_EQ(calls, 0);
    const Graph graph = builder.complete();
    graph.launch(stream);
    graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(calls, 110);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(GraphBuilderTest, ConvertsToAStreamWhileBuilding) {
    const auto is_capturing = [](StreamRef stream) { return stream.is_capturing(); };
    GraphBuilder builder = Device(1).create_graph_builder();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)is_capturing(builder); }), HasSubstr("not building"));
    builder.begin_building(CaptureMode::global);
    EXPECT_TRUE(is_capturing(builder));
    EXPECT_EQ(builder.stream().device(), Device(1));
    builder.end_building();
    EXPECT_THROW((void)builder.stream(), std::invalid_argument);
}

TEST_F(GraphBuilderTest, CapturesAStreamOfTheCaller) {
    const Stream stream{Device()};
    int calls = 0;
    {
        GraphBuilder builder(stream);
        builder.begin_building(CaptureMode::this_thread);
        stream.launch_host_function([&] { ++calls; });
        builder.end_building();
        builder.complete().launch(stream);
        EXPECT_FALSE(stream.is_capturing());
    }
    stream.launch_host_function([&] { ++calls; });
    stream.synchronize();
    EXPECT_EQ(calls, 2);
}

TEST_F(GraphBuilderTest, RunsForksConcurrentlyAndJoinsThem) {
    const Stream stream{Device()};
    std::atomic<int> before = 0;
    std::atomic<int> in_forks = 0;
    int after = 0;
    bool all_after_the_first = true;
    GraphBuilder builder{Device()};
    builder.begin_building();
    builder.callback([&] { before = 1; });
    std::vector<GraphBuilder> forks = builder.split(3);
    ASSERT_EQ(forks.size(), 3u);
    for (GraphBuilder& fork : forks) {
        EXPECT_TRUE(fork.is_join_required());
        fork.callback([&] {
            if (before == 0) all_after_the_first = false;
            ++in_forks;
        });
    }
    EXPECT_FALSE(builder.is_join_required());
    builder.join(std::move(forks));
    builder.callback([&] { after = in_forks; });
    builder.end_building();
    EXPECT_EQ(nodes(builder), 5u);
    builder.complete().launch(stream);
    stream.synchronize();
    EXPECT_TRUE(all_after_the_first);
    EXPECT_EQ(after, 3);
}

TEST_F(GraphBuilderTest, LetsForksForkAndJoinEachOther) {
    GraphBuilder builder{Device()};
    builder.begin_building();
    auto forks = builder.split(2);
    auto nested = forks[0].split(1);
    nested[0].callback([] {});
    forks[1].callback([] {});
    forks[0].join(std::move(nested));
    forks[0].join(std::move(forks[1]));
    builder.join(std::move(forks[0]));
    builder.end_building();
    EXPECT_EQ(nodes(builder), 2u);
}

TEST_F(GraphBuilderTest, FailsToEndWithUnjoinedForksAndCanStartAgain) {
    const Stream stream{Device()};
    GraphBuilder builder{Device()};
    builder.begin_building();
    auto forks = builder.split(2);
    forks[0].callback([] {});
    forks[1].callback([] {});
    EXPECT_THAT(message_of<Error>([&] { builder.end_building(); }),
                ::testing::AllOf(HasSubstr("CUDA_ERROR_STREAM_CAPTURE_UNJOINED"), HasSubstr("join()")));
    EXPECT_FALSE(builder.is_building());
    EXPECT_FALSE(forks[0].is_building());
    EXPECT_THROW((void)forks[0].stream(), std::invalid_argument);
    EXPECT_THROW((void)builder.native_handle(), std::invalid_argument);
    builder.begin_building();
    builder.callback([] {});
    builder.end_building();
    EXPECT_EQ(nodes(builder), 1u);
}

TEST_F(GraphBuilderTest, EndsWithoutForksThatHaveNoWork) {
    GraphBuilder builder{Device()};
    builder.begin_building();
    builder.callback([] {});
    (void)builder.split(2);
    builder.end_building();
    EXPECT_EQ(nodes(builder), 1u);
}

TEST_F(GraphBuilderTest, JoinsOnlyItsOwnForks) {
    GraphBuilder first{Device()};
    GraphBuilder second{Device()};
    first.begin_building();
    second.begin_building();
    auto forks = first.split(1);
    EXPECT_THROW(second.join(std::move(forks)), std::invalid_argument);
    EXPECT_THROW(first.join(std::move(second)), std::invalid_argument);
}

TEST_F(GraphBuilderTest, ReportsAnInvalidCaptureAtTheEnd) {
    Device(0).set_current();
    GraphBuilder builder{Device()};
    builder.begin_building(CaptureMode::this_thread);
    EXPECT_EQ(driver::cuCtxSynchronize().status, driver::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    EXPECT_THROW(builder.callback([] {}), Error);
    EXPECT_THAT(message_of<Error>([&] { builder.end_building(); }), HasSubstr("not allowed while work is captured"));
}

TEST_F(GraphBuilderTest, StatesThatAWaitForTheContextInvalidatesARelaxedCapture) {
    GraphBuilder builder{Device()};
    builder.begin_building();
    char stream[32];
    std::snprintf(stream, sizeof stream, "%p", static_cast<const void*>(builder.stream().native_handle()));
    std::thread([&] {
        EXPECT_THAT(message_of<Error>([] { Device(0).synchronize(); }),
                    HasSubstr("whatever its mode is: another thread captures the stream " + std::string(stream) +
                              " with a GraphBuilder. Wait for streams"));
    }).join();
    EXPECT_THAT(message_of<Error>([&] { builder.end_building(); }),
                HasSubstr("Device::synchronize() in every mode, of another thread"));
}

TEST_F(GraphBuilderTest, NamesTheThreadOfACaptureThatAWaitForTheContextInvalidates) {
    const auto message = [] { return message_of<Error>([] { Device(0).synchronize(); }); };
    {
        GraphBuilder builder{Device()};
        builder.begin_building();
        EXPECT_THAT(message(), HasSubstr("this thread captures the stream 0x"));
    }
    Stream stream{Device()};  // after the end of the capture above, which must not be named
    check(driver::cuStreamBeginCapture(stream.native_handle(), driver::CU_STREAM_CAPTURE_MODE_RELAXED));
    EXPECT_THAT(message(), HasSubstr("code other than a GraphBuilder captures a stream"));
    EXPECT_THROW(check(driver::cuStreamEndCapture(stream.native_handle())), Error);
    Device(0).synchronize();
}

TEST_F(GraphBuilderTest, RejectsCallsInTheWrongOrder) {
    GraphBuilder builder{Device()};
    EXPECT_THROW(builder.end_building(), std::invalid_argument);
    EXPECT_THROW((void)builder.complete(), std::invalid_argument);
    EXPECT_THROW((void)builder.split(1), std::invalid_argument);
    builder.begin_building();
    EXPECT_THROW(builder.begin_building(), std::invalid_argument);
    EXPECT_THROW((void)builder.complete(), std::invalid_argument);
    auto forks = builder.split(1);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { forks[0].end_building(); }), HasSubstr("split()"));
    builder.join(std::move(forks));
    builder.end_building();
    EXPECT_THROW(builder.end_building(), std::invalid_argument);
    EXPECT_THROW(builder.begin_building(), std::invalid_argument);
    GraphBuilder other = std::move(builder);
    EXPECT_THROW(builder.begin_building(), std::invalid_argument);
    EXPECT_FALSE(builder.is_building());
    other.close();
    other.close();
    EXPECT_THROW((void)other.complete(), std::invalid_argument);
}

TEST_F(GraphBuilderTest, RejectsADefaultStreamAndACapturingStream) {
    Device(0).set_current();
    EXPECT_THROW(GraphBuilder(StreamRef::legacy_default()).begin_building(), Error);
    const Stream stream{Device()};
    GraphBuilder first(stream);
    GraphBuilder second(stream);
    first.begin_building();
    EXPECT_THROW(second.begin_building(), Error);
    first.end_building();
}

TEST_F(GraphBuilderTest, EndsTheCaptureInItsDestructor) {
    const Stream stream{Device()};
    {
        const layers::Unobserved abandoned;  // the capture with a fork that is not joined cannot end without an error
        GraphBuilder builder(stream);
        builder.begin_building();
        stream.launch_host_function([] {});
        auto forks = builder.split(1);
        forks[0].callback([] {});
    }
    EXPECT_FALSE(stream.is_capturing());
    EXPECT_TRUE(stream.is_done());
}

TEST_F(GraphBuilderTest, EmbedsOtherGraphs) {
    const Stream stream{Device()};
    std::string order;
    const auto held = std::make_shared<int>(0);
    GraphBuilder builder{Device()};
    {
        GraphBuilder child{Device()};
        child.begin_building();
        child.callback([&order, held] { order += 'b'; });
        EXPECT_THROW(builder.embed(child), std::invalid_argument);
        child.end_building();
        EXPECT_THROW(builder.embed(child), std::invalid_argument);
        const GraphDefinition definition{Device()};
        definition.callback([&order, held] { order += 'c'; });
        builder.begin_building();
        builder.callback([&order] { order += 'a'; });
        builder.embed(child);
        builder.embed(definition);
        builder.callback([&order] { order += 'd'; });
        builder.end_building();
    }
    EXPECT_EQ(nodes(builder), 4u);
    builder.complete().launch(stream);
    stream.synchronize();
    EXPECT_EQ(order, "abcd");
    EXPECT_EQ(held.use_count(), 3);
    GraphBuilder allocating{Device()};
    allocating.begin_building();
    (void)Device().allocate(allocating, 64);
    allocating.end_building();
    GraphBuilder other{Device()};
    other.begin_building();
    EXPECT_THAT(message_of<Error>([&] { other.embed(allocating); }), HasSubstr("cannot be embedded"));
    other.end_building();
    EXPECT_EQ(nodes(other), 0u);
}

// ---- retained objects ---------------------------------------------------------------------------------------------------

TEST_F(GraphBuilderTest, RetainsHostFunctionsUntilTheLastGraphIsDestroyed) {
    const Stream stream{Device()};
    const auto held = std::make_shared<int>(0);
    auto builder = std::make_unique<GraphBuilder>(Device());
    builder->begin_building();
    builder->callback([held] { ++*held; });
    builder->end_building();
    auto graph = std::make_unique<Graph>(builder->complete());
    builder.reset();
    EXPECT_EQ(held.use_count(), 2);
    graph->launch(stream);
    graph->launch(stream);
    stream.synchronize();
    EXPECT_EQ(*held, 2);
    graph.reset();
    EXPECT_EQ(held.use_count(), 1);
}

TEST_F(GraphBuilderTest, RetainsAnObjectOnce) {
    const auto object = std::make_shared<int>(1);
    GraphBuilder builder{Device()};
    builder.begin_building();
    detail::Retainer* const retainer = detail::StreamAccess::retainer(builder.stream());
    ASSERT_NE(retainer, nullptr);
    for (int i = 0; i < 5; ++i) retainer->retain(object);
    EXPECT_EQ(object.use_count(), 2);
    auto forks = builder.split(1);
    detail::StreamAccess::retainer(forks[0].stream())->retain(object);
    EXPECT_EQ(object.use_count(), 2);
    builder.join(std::move(forks));
    builder.end_building();
    builder.close();
    EXPECT_EQ(object.use_count(), 1);
}

TEST_F(GraphBuilderTest, LetsDestructorsOfRetainedObjectsCallCuda) {
    auto retained = std::make_shared<Stream>(Device());
    const StreamRef::Handle handle = retained->native_handle();
    GraphBuilder builder{Device()};
    builder.begin_building();
    detail::StreamAccess::retainer(builder.stream())->retain(std::move(retained));
    builder.end_building();
    EXPECT_EQ(driver::cuStreamQuery(handle).status, driver::CUDA_SUCCESS);
    builder.close();
    const layers::Unobserved own_call;
    EXPECT_EQ(driver::cuStreamQuery(handle).status, driver::CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(GraphBuilderTest, RetainsHostFunctionsInACaptureWithoutABuilder) {
    const Stream stream{Device()};
    const auto held = std::make_shared<int>(0);
    check(driver::cuStreamBeginCapture(stream.native_handle(), driver::CU_STREAM_CAPTURE_MODE_RELAXED));
    stream.launch_host_function([held] { ++*held; });
    const driver::CUgraph graph = check(driver::cuStreamEndCapture(stream.native_handle()));
    EXPECT_EQ(held.use_count(), 2);
    check(driver::cuGraphDestroy(graph));
    EXPECT_TRUE(eventually([&] {
        Device().synchronize();
        return held.use_count() == 1;
    })) << "the driver releases the object asynchronously";
}

TEST_F(GraphBuilderTest, ReportsAFailureOfEachCall) {
    EXPECT_GE(sweep(
                  [] {
                      GraphBuilder builder(Device(1));
                      builder.begin_building();
                      builder.callback([held = std::make_shared<int>(1)] {});
                      auto forks = builder.split(2);
                      forks[0].callback([held = std::make_shared<int>(1)] {});
                      builder.join(std::move(forks));
                      const GraphDefinition child(Device(1));
                      child.callback([held = std::make_shared<int>(1)] {});
                      builder.embed(child);
                      builder.end_building();
                      (void)builder.complete();
                      (void)builder.native_handle();
                      builder.debug_dot_print("/dev/null");
                  },
                  {"cuCtxGetDevice"}),
              25u);
}

}  // namespace
}  // namespace cubind::testing

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/memory_pool.hpp>
#include <cubind/driver/stream.hpp>
#include <cubind/driver/strings.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <unordered_set>
#include <utility>

#include "core_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::HasSubstr;

class GraphTest : public CoreTest {
protected:
    /// Returns a builder whose graph adds to a number.
    static GraphBuilder adding(int& number, int amount) {
        GraphBuilder builder{Device()};
        builder.begin_building();
        builder.callback([&number, amount] { number += amount; });
        builder.end_building();
        return builder;
    }

    static std::string text_of(const std::filesystem::path& path) {
        std::ifstream file(path);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }
};

TEST_F(GraphTest, IsUploadedAndLaunched) {
    const Stream stream{Device()};
    int number = 0;
    const Graph graph = adding(number, 3).complete({.upload_stream = stream});
    graph.upload(stream);
    for (int i = 0; i < 4; ++i) graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(number, 12);
}

TEST_F(GraphTest, ReleasesPreviousObjectsWhenUpdated) {
    const Stream stream{Device()};
    int number = 0;
    const auto previous = std::make_shared<int>(1);
    GraphBuilder first{Device()};
    first.begin_building();
    first.callback([&number, previous] { number += *previous; });
    first.end_building();
    const Graph graph = first.complete();
    first.close();
    graph.launch(stream);
    graph.update(adding(number, 100));
    graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(number, 101);
    EXPECT_EQ(previous.use_count(), 1);
}

TEST_F(GraphTest, RetainsObjectsInTheDriverWhenAForeignGraphIsUpdated) {
    const Stream stream{Device()};
    Device().set_current();
    int number = 0;
    const auto held = std::make_shared<int>(100);
    const GraphBuilder first = adding(number, 1);
    const driver::CUgraphExec foreign = check(driver::cuGraphInstantiateWithFlags(first.native_handle(), 0));
    {
        GraphBuilder second{Device()};
        second.begin_building();
        second.callback([&number, held] { number += *held; });
        second.end_building();
        GraphRef(foreign).update(second);
    }
    GraphRef(foreign).launch(stream);
    stream.synchronize();
    EXPECT_EQ(number, 100);
    EXPECT_EQ(held.use_count(), 2);
    check(driver::cuGraphExecDestroy(foreign));
    EXPECT_TRUE(eventually([&] {
        Device().synchronize();
        return held.use_count() == 1;
    })) << "the driver releases the object asynchronously";
}

TEST_F(GraphTest, RejectsAnUpdateFromADifferentGraph) {
    const Stream stream{Device()};
    int number = 0;
    const Graph graph = adding(number, 1).complete();
    GraphBuilder two{Device()};
    two.begin_building();
    two.callback([] {});
    two.callback([] {});
    two.end_building();
    EXPECT_THAT(message_of<Error>([&] { graph.update(two); }),
                ::testing::AllOf(HasSubstr("CU_GRAPH_EXEC_UPDATE_ERROR"), HasSubstr("complete()")));
    EXPECT_THROW(graph.update(GraphBuilder(Device())), std::invalid_argument);
    graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(number, 1);
}

TEST_F(GraphTest, FreesItsMemoryBeforeTheNextLaunchIfRequested) {
    const Stream stream{Device()};
    const auto allocating = [] {
        GraphBuilder builder{Device()};
        builder.begin_building();
        (void)check(driver::cuMemAllocAsync(1024, builder.stream().native_handle()));
        builder.end_building();
        return builder;
    };
    const Graph strict = allocating().complete();
    strict.launch(stream);
    EXPECT_THROW(strict.launch(stream), Error);
    const Graph freeing = allocating().complete({.auto_free_on_launch = true});
    freeing.launch(stream);
    freeing.launch(stream);
    stream.synchronize();
}

TEST_F(GraphTest, IsWrittenAsADotFile) {
    const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "cubind_graph.dot";
    int number = 0;
    const GraphBuilder builder = adding(number, 1);
    builder.debug_dot_print(path.string());
    EXPECT_THAT(text_of(path), HasSubstr("digraph"));
    builder.debug_dot_print(path.string(), {.verbose = true, .handles = true});
    EXPECT_THAT(text_of(path), HasSubstr("0x"));
    std::filesystem::remove(path);
    const std::string nowhere = "/nonexistent/folder/graph.dot";
    EXPECT_THAT(message_of<Error>([&] { builder.debug_dot_print(nowhere); }), HasSubstr(nowhere));
    EXPECT_THROW(GraphBuilder(Device()).debug_dot_print(path.string()), std::invalid_argument);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { builder.debug_dot_print(std::string("a\0b", 3)); }),
                HasSubstr("a NUL at byte 1 of 3"));
}

TEST_F(GraphTest, RejectsEveryUseOfAnEmptyGraphAndOwnsAForeignHandle) {
    const Stream stream{Device()};
    int number = 0;
    Graph first = adding(number, 1).complete();
    Graph second = std::move(first);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { first.launch(stream); }), HasSubstr("Graph was moved from"));
    EXPECT_THROW(first.upload(stream), std::invalid_argument);
    const Graph third = Graph::from_native_handle(second.release());
    third.launch(stream);
    stream.synchronize();
    EXPECT_EQ(number, 1) << "a released graph retains its objects";
    third.update(adding(number, 2));
    third.launch(stream);
    stream.synchronize();
    EXPECT_EQ(number, 3);
    EXPECT_EQ(GraphRef(third.native_handle()), third);
    EXPECT_THROW(GraphRef(GraphRef::Handle()).launch(stream), std::invalid_argument);
    Graph empty;
    EXPECT_TRUE(empty.is_closed());
    EXPECT_THROW(empty.launch(stream), std::invalid_argument);
    EXPECT_EQ(std::unordered_set<GraphRef>({first, third, empty}).size(), 2u);
    Stream closed{Device()};
    closed.close();
    EXPECT_THROW(third.launch(closed), std::invalid_argument);
}

}  // namespace
}  // namespace cubind::testing

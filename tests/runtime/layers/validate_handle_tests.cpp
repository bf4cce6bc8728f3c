// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/registry.hpp"
#include "validate_test.hpp"

namespace cubind::testing {
namespace {

namespace validate = layers::validate;
using ::testing::AllOf;
using ::testing::StartsWith;

class ValidateHandlesTest : public SimulatedTest {
protected:
    void SetUp() override {
        validate::start(findings.options());
        SimulatedTest::SetUp();
    }
    std::string message() {
        const auto messages = findings.messages();
        return messages.size() == 1 ? messages.front() : std::to_string(messages.size()) + " findings";
    }
    static std::string text(const void* handle) {
        char digits[32];
        std::snprintf(digits, sizeof digits, "%p", handle);
        return digits;
    }

    Findings findings;
};

TEST_F(ValidateHandlesTest, AcceptsLiveHandles) {
    const CUstream stream = cuStreamCreate(0).value;
    EXPECT_TRUE(cuStreamSynchronize(stream).ok());
    EXPECT_TRUE(cuStreamDestroy(stream).ok());
    EXPECT_EQ(message(), "0 findings");
}

TEST_F(ValidateHandlesTest, ReportsUnknownHandles) {
    cuStreamSynchronize(handle<CUstream>(0x4440));
    EXPECT_THAT(message(), AllOf(StartsWith("cuStreamSynchronize: hStream is 0x4440,"), HasSubstr("no call has returned"),
                                 HasSubstr("CUstream")));
    auto options = findings.options();
    options.unknown_handles = false;
    validate::start(options);
    cuStreamSynchronize(handle<CUstream>(0x4440));
    EXPECT_EQ(message(), "0 findings");
}

TEST_F(ValidateHandlesTest, ReportsDestroyedHandles) {
    const CUstream stream = cuStreamCreate(0).value;
    cuStreamDestroy(stream);
    const auto expected = [&](const std::string& function) {
        return AllOf(StartsWith(function + ": hStream is " + text(stream) + ","), HasSubstr("cuStreamCreate returned"),
                     HasSubstr("cuStreamDestroy_v2 destroyed"), HasSubstr("CUstream"));
    };
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_THAT(message(), expected("cuStreamSynchronize"));
    cuStreamDestroy(stream);
    EXPECT_THAT(message(), expected("cuStreamDestroy_v2"));
    auto options = findings.options();
    options.unknown_handles = false;
    validate::start(options);
    cuStreamSynchronize(stream);
    EXPECT_THAT(message(), expected("cuStreamSynchronize")) << "the handle is known";
}

TEST_F(ValidateHandlesTest, ReportsHandlesThatAnotherThreadDestroyed) {
    const CUstream stream = cuStreamCreate(0).value;
    EXPECT_TRUE(cuStreamSynchronize(stream).ok()) << "this thread caches that the stream is live";
    std::thread([=] { cuStreamDestroy(stream); }).join();
    cuStreamSynchronize(stream);
    EXPECT_THAT(message(), HasSubstr("cuStreamDestroy_v2 destroyed"));
}

TEST_F(ValidateHandlesTest, ReportsHandlesOfDestroyedContexts) {
    const CUcontext second = cuCtxCreate_v2(0, 1).value;
    const CUstream stream = cuStreamCreate(0).value;
    EXPECT_TRUE(cuCtxDestroy(second).ok());
    cuCtxSetCurrent(context);
    cuStreamSynchronize(stream);
    EXPECT_THAT(message(),
                AllOf(StartsWith("cuStreamSynchronize: hStream is " + text(stream) + ","), HasSubstr("cuStreamCreate returned"),
                      HasSubstr("cuCtxDestroy_v2 destroyed"), HasSubstr("CUstream")));
    cuCtxSetCurrent(second);
    EXPECT_THAT(message(),
                AllOf(HasSubstr("cuCtxCreate_v2 returned"), HasSubstr("cuCtxDestroy_v2 destroyed"), HasSubstr("CUcontext")));
}

TEST_F(ValidateHandlesTest, ReportsHandlesOfContextsFromBeforeTheStart) {
    validate::stop();
    const CUcontext second = cuCtxCreate_v2(0, 1).value;
    validate::start(findings.options());
    const CUstream stream = cuStreamCreate(0).value;
    auto options = findings.options();
    options.unknown_handles = false;
    validate::start(options);
    EXPECT_TRUE(cuCtxDestroy(second).ok());
    cuCtxSetCurrent(context);
    cuStreamSynchronize(stream);
    EXPECT_THAT(message(), HasSubstr("cuCtxDestroy_v2 destroyed"));
}

TEST_F(ValidateHandlesTest, AcceptsHandlesAfterTheResetOfAnotherContext) {
    const CUstream stream = cuStreamCreate(0).value;
    EXPECT_TRUE(cuDevicePrimaryCtxRetain(1).ok());
    EXPECT_TRUE(cuDevicePrimaryCtxReset(1).ok());
    EXPECT_TRUE(cuStreamSynchronize(stream).ok());
    EXPECT_TRUE(cuCtxSetCurrent(context).ok());
    EXPECT_EQ(message(), "0 findings");
}

TEST_F(ValidateHandlesTest, ReportsNodesOfDestroyedGraphs) {
    const CUgraph graph = cuGraphCreate(0).value;
    const CUgraph child = cuGraphCreate(0).value;
    EXPECT_TRUE(cuGraphAddEmptyNode(child, nullptr, 0).ok());
    const CUgraphNode first = cuGraphAddEmptyNode(graph, nullptr, 0).value;
    const CUgraphNode parent = cuGraphAddChildGraphNode(graph, &first, 1, child).value;
    const CUgraph copy = cuGraphChildGraphNodeGetGraph(parent).value;
    CUgraphNode found[2] = {};
    EXPECT_TRUE(cuGraphGetNodes(copy, found, 1).ok());
    EXPECT_TRUE(cuGraphNodeGetDependencies_v2(parent, found + 1, nullptr, 1).ok());
    EXPECT_EQ(found[1], first);
    EXPECT_TRUE(cuGraphDestroy(child).ok());
    EXPECT_TRUE(cuGraphNodeGetType(first).ok());
    EXPECT_TRUE(cuGraphNodeGetType(found[0]).ok()) << "the child node has a copy of the graph";
    EXPECT_EQ(message(), "0 findings");
    EXPECT_TRUE(cuGraphDestroy(graph).ok());
    for (const CUgraphNode node : {first, parent, found[0]}) {
        cuGraphNodeGetType(node);
        EXPECT_THAT(message(), AllOf(StartsWith("cuGraphNodeGetType: hNode is " + text(node) + ","),
                                     HasSubstr("cuGraphDestroy destroyed"), HasSubstr("CUgraphNode")));
    }
}

TEST_F(ValidateHandlesTest, ForgetsOldDestroyedHandles) {
    constexpr std::size_t nodes_per_graph = 64;
    const std::size_t before = layers::objects::all_handles().size();
    for (std::size_t nodes = 0; nodes < 2 * layers::objects::Handles::max_destroyed; nodes += nodes_per_graph) {
        const CUgraph graph = cuGraphCreate(0).value;
        for (std::size_t node = 0; node < nodes_per_graph; ++node) cuGraphAddEmptyNode(graph, nullptr, 0);
        ASSERT_TRUE(cuGraphDestroy(graph).ok());
    }
    EXPECT_LE(layers::objects::all_handles().size(), before + layers::objects::Handles::max_destroyed);
    EXPECT_EQ(message(), "0 findings");
}

TEST_F(ValidateHandlesTest, LeavesTheTableOfHandlesEmptyWithoutValidate) {
    validate::stop();
    layers::leaks::start();
    const CUgraph graph = cuGraphCreate(0).value;
    cuGraphAddEmptyNode(graph, nullptr, 0);
    EXPECT_EQ(layers::objects::all_handles().size(), 0u) << "leaks requires no handles";
    cuGraphDestroy(graph);
    EXPECT_EQ(layers::leaks::report(), "");
}

CUresult reject(CUstream) {
    return CUDA_ERROR_LAUNCH_FAILED;
}

TEST_F(ValidateHandlesTest, AcceptsHandlesAfterFailedDestructions) {
    const CUstream stream = cuStreamCreate(0).value;
    cubind::EntryPoint& entry = *entry_point_of(reinterpret_cast<void (*)()>(cuStreamDestroy_v2));
    void* const drivers = exchange_address(entry, reinterpret_cast<void*>(reject));
    EXPECT_EQ(cuStreamDestroy(stream).status, CUDA_ERROR_LAUNCH_FAILED);
    exchange_address(entry, drivers);
    EXPECT_TRUE(cuStreamSynchronize(stream).ok());
    EXPECT_EQ(message(), "0 findings");
}

TEST_F(ValidateHandlesTest, ReportsHandlesOfTwoContexts) {
    const CUevent event = cuEventCreate(0).value;
    const CUstream stream = cuStreamCreate(0).value;
    const CUcontext second = cuCtxCreate_v2(0, 1).value;
    const CUstream other = cuStreamCreate(0).value;
    EXPECT_EQ(cuEventRecord(event, other).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_THAT(message(), AllOf(StartsWith("cuEventRecord: hStream is in context " + text(second)),
                                 HasSubstr("hEvent is in context " + text(context))));
    cuEventRecord(event, nullptr);
    EXPECT_THAT(message(), HasSubstr("hStream is in context")) << "the default stream of the current context";
    cuStreamCopyAttributes(stream, other);
    EXPECT_THAT(message(), StartsWith("cuStreamCopyAttributes: src is in context " + text(second)));
    EXPECT_TRUE(cuEventRecord(event, stream).ok());
    EXPECT_EQ(message(), "0 findings") << "independently of the current context";
}

TEST_F(ValidateHandlesTest, AllowsCallsInAReport) {
    int reports = 0;
    validate::start({.report = [&](const validate::Finding&) {
        ++reports;
        EXPECT_EQ(cuStreamSynchronize(handle<CUstream>(0x4440)).status, CUDA_ERROR_INVALID_HANDLE);
        validate::findings();
    }});
    cuStreamSynchronize(handle<CUstream>(0x4440));
    EXPECT_EQ(reports, 1) << "calls in a report are not validated";
    EXPECT_EQ(validate::findings(), 1u);
}

TEST_F(ValidateHandlesTest, AcceptsHandlesOfManyThreads) {
    in_threads(4, [&](int) {
        EXPECT_TRUE(cuCtxSetCurrent(context).ok());
        for (int times = 0; times < 200; ++times) {
            const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
            const CUevent event = cuEventCreate(0).value;
            EXPECT_TRUE(cuEventRecord(event, stream).ok());
            EXPECT_TRUE(cuStreamDestroy(stream).ok());
            EXPECT_TRUE(cuEventDestroy(event).ok());
        }
    });
    EXPECT_EQ(message(), "0 findings");
}

}  // namespace
}  // namespace cubind::testing

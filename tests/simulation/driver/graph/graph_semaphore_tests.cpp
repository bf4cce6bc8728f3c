// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "graph_test.hpp"

namespace cubind::testing {
namespace {

/// Nodes that signal external semaphores and wait for them. The state of a semaphore is a file, which the test reads and writes.
class SimGraphSemaphoreTest : public GraphTest {
protected:
    using Signals = std::vector<CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS>;
    using Waits = std::vector<CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS>;

    void SetUp() override {
        GraphTest::SetUp();
        graph = create_graph();
        file = memfd_create("cubind-test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        ASSERT_EQ(ftruncate(file, 8), 0);
        CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC description{};
        description.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
        description.handle.fd = dup(file);
        const auto imported = cuImportExternalSemaphore(&description);
        ASSERT_EQ(imported.status, CUDA_SUCCESS);
        semaphore = imported.value;
    }
    void TearDown() override {
        close(file);
        GraphTest::TearDown();
    }

    template <class Parameters>
    static std::vector<Parameters> values(std::initializer_list<std::uint64_t> list) {
        std::vector<Parameters> all;
        for (const std::uint64_t value : list) all.emplace_back().params.fence.value = value;
        return all;
    }
    static Signals signals(std::initializer_list<std::uint64_t> list) {
        return values<CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS>(list);
    }
    static Waits waits(std::initializer_list<std::uint64_t> list) { return values<CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS>(list); }

    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS parameters(const Signals& list) {
        semaphores.assign(list.size(), semaphore);
        return {semaphores.data(), list.data(), static_cast<unsigned>(list.size())};
    }
    CUDA_EXT_SEM_WAIT_NODE_PARAMS parameters(const Waits& list) {
        semaphores.assign(list.size(), semaphore);
        return {semaphores.data(), list.data(), static_cast<unsigned>(list.size())};
    }
    CUresult add(const Signals& list, const Nodes& after = {}) {
        const auto params = parameters(list);
        const auto [status, added] = cuGraphAddExternalSemaphoresSignalNode(graph, after.data(), after.size(), &params);
        if (status == CUDA_SUCCESS) node = added;
        return status;
    }
    CUresult add(const Waits& list, const Nodes& after = {}) {
        const auto params = parameters(list);
        const auto [status, added] = cuGraphAddExternalSemaphoresWaitNode(graph, after.data(), after.size(), &params);
        if (status == CUDA_SUCCESS) node = added;
        return status;
    }
    std::uint64_t value() const {
        std::uint64_t found = 0;
        EXPECT_EQ(pread(file, &found, sizeof found, 0), 8);
        return found;
    }
    void set(std::uint64_t value) const { EXPECT_EQ(pwrite(file, &value, sizeof value, 0), 8); }

    int file = -1;
    CUexternalSemaphore semaphore = nullptr;
    std::vector<CUexternalSemaphore> semaphores;
    CUgraph graph = nullptr;
    CUgraphNode node = nullptr;
};

TEST_F(SimGraphSemaphoreTest, WaitsAndSignalsInOrder) {
    ASSERT_EQ(add(waits({1, 2})), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphNodeGetType(node).value, CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT);
    ASSERT_EQ(add(signals({3, 4}), {node}), CUDA_SUCCESS);
    EXPECT_EQ(cuGraphNodeGetType(node).value, CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL);
    const CUstream stream = create_stream();
    EXPECT_EQ(cuGraphLaunch(instantiate(graph), stream).status, CUDA_SUCCESS);
    set(1);
    EXPECT_EQ(cuStreamQuery(stream).status, CUDA_ERROR_NOT_READY);
    set(2);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    EXPECT_EQ(value(), 4u);
}

TEST_F(SimGraphSemaphoreTest, ReturnsItsParameters) {
    ASSERT_EQ(add(signals({5, 6})), CUDA_SUCCESS);
    const auto signal = cuGraphExternalSemaphoresSignalNodeGetParams(node);
    ASSERT_EQ(signal.status, CUDA_SUCCESS);
    ASSERT_EQ(signal.value.numExtSems, 2u);
    EXPECT_EQ(signal.value.extSemArray[1], semaphore);
    EXPECT_EQ(signal.value.paramsArray[1].params.fence.value, 6u);
    EXPECT_EQ(cuGraphExternalSemaphoresWaitNodeGetParams(node).status, CUDA_ERROR_INVALID_VALUE) << "another kind";
    ASSERT_EQ(add(waits({7})), CUDA_SUCCESS);
    const auto wait = cuGraphExternalSemaphoresWaitNodeGetParams(node);
    ASSERT_EQ(wait.status, CUDA_SUCCESS);
    ASSERT_EQ(wait.value.numExtSems, 1u);
    EXPECT_EQ(wait.value.paramsArray[0].params.fence.value, 7u);
}

TEST_F(SimGraphSemaphoreTest, ChangesItsParameters) {
    ASSERT_EQ(add(waits({9})), CUDA_SUCCESS);
    const CUgraphNode wait = node;
    ASSERT_EQ(add(signals({10}), {wait}), CUDA_SUCCESS);
    const Waits reached = waits({0});
    const auto wait_params = parameters(reached);
    EXPECT_EQ(cuGraphExternalSemaphoresWaitNodeSetParams(wait, &wait_params).status, CUDA_SUCCESS);
    const Signals next = signals({2});
    auto signal_params = parameters(next);
    EXPECT_EQ(cuGraphExternalSemaphoresSignalNodeSetParams(node, &signal_params).status, CUDA_SUCCESS);
    const CUgraphExec executable = instantiate(graph);
    const CUstream stream = create_stream();
    launch(executable, stream);
    EXPECT_EQ(value(), 2u);
    const Signals later = signals({3});
    signal_params = parameters(later);
    EXPECT_EQ(cuGraphExecExternalSemaphoresSignalNodeSetParams(executable, node, &signal_params).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphExecExternalSemaphoresWaitNodeSetParams(executable, wait, &wait_params).status, CUDA_SUCCESS);
    launch(executable, stream);
    EXPECT_EQ(value(), 3u);
    const Signals more = signals({4, 5});
    signal_params = parameters(more);
    EXPECT_EQ(cuGraphExecExternalSemaphoresSignalNodeSetParams(executable, node, &signal_params).status, CUDA_ERROR_INVALID_VALUE)
        << "another number";
    EXPECT_EQ(cuGraphExternalSemaphoresSignalNodeSetParams(wait, &signal_params).status, CUDA_ERROR_INVALID_VALUE)
        << "another kind";
}

TEST_F(SimGraphSemaphoreTest, RejectsInvalidParameters) {
    EXPECT_EQ(add(Signals{}), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(add(Waits{}), CUDA_ERROR_INVALID_VALUE);
    Signals flags = signals({1});
    flags[0].flags = 1;
    EXPECT_EQ(add(flags), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGraphAddExternalSemaphoresSignalNode(graph, nullptr, 0, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    const CUexternalSemaphore destroyed = semaphore;
    EXPECT_EQ(cuDestroyExternalSemaphore(destroyed).status, CUDA_SUCCESS);
    EXPECT_EQ(add(waits({1})), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_TRUE(nodes_of(graph).empty());
}

TEST_F(SimGraphSemaphoreTest, IsCapturedFromAStream) {
    const CUstream stream = create_stream();
    const Waits reached = waits({1});
    const Signals next = signals({2});
    ASSERT_EQ(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL).status, CUDA_SUCCESS);
    EXPECT_EQ(cuWaitExternalSemaphoresAsync(&semaphore, reached.data(), 1, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuSignalExternalSemaphoresAsync(&semaphore, next.data(), 1, stream).status, CUDA_SUCCESS);
    const auto [status, captured] = cuStreamEndCapture(stream);
    ASSERT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(types_of(captured), (std::vector{CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL}));
    EXPECT_EQ(edges_of(captured), "0>1");
    EXPECT_EQ(value(), 0u);
    set(1);
    launch(instantiate(captured), stream);
    EXPECT_EQ(value(), 2u);
}

TEST_F(SimGraphSemaphoreTest, EndsAWaitWhenTheContextIsDestroyed) {
    ASSERT_EQ(add(waits({1})), CUDA_SUCCESS);
    const CUstream stream = create_stream();
    EXPECT_EQ(cuGraphLaunch(instantiate(graph), stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamQuery(stream).status, CUDA_ERROR_NOT_READY);
    EXPECT_EQ(cuCtxDestroy(context).status, CUDA_SUCCESS);
}

}  // namespace
}  // namespace cubind::testing

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/constants.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "sim_test.hpp"

namespace cubind::testing {

/// Records the letters of host nodes in the order in which they run.
class CallLog {
public:
    struct Entry {
        CallLog* log;
        char letter;
    };

    Entry* entry(char letter) {
        entries_.push_back(std::make_unique<Entry>(Entry{this, letter}));
        return entries_.back().get();
    }
    std::string letters() const {
        const std::lock_guard lock(mutex_);
        return letters_;
    }
    static void record(void* entry) {
        const Entry& called = *static_cast<Entry*>(entry);
        const std::lock_guard lock(called.log->mutex_);
        called.log->letters_ += called.letter;
    }

private:
    mutable std::mutex mutex_;
    std::string letters_;
    std::vector<std::unique_ptr<Entry>> entries_;
};

/// Creates, instantiates, launches and inspects graphs.
class GraphTest : public SimTest {
protected:
    using Nodes = std::vector<CUgraphNode>;

    static CUgraph create_graph() {
        auto [status, created] = cuGraphCreate(0);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return created;
    }
    static CUgraphNode add_empty(CUgraph graph, const Nodes& after = {}) {
        auto [status, node] = cuGraphAddEmptyNode(graph, after.data(), after.size());
        EXPECT_EQ(status, CUDA_SUCCESS);
        return node;
    }
    CUgraphNode add_host_node(CUgraph graph, char letter, const Nodes& after = {}) {
        const CUDA_HOST_NODE_PARAMS call{CallLog::record, call_log.entry(letter)};
        auto [status, node] = cuGraphAddHostNode(graph, after.data(), after.size(), &call);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return node;
    }
    static CUDA_MEMSET_NODE_PARAMS byte_fill(CUdeviceptr to, unsigned value, std::size_t count) {
        return {.dst = to, .pitch = 0, .value = value, .elementSize = 1, .width = count, .height = 1};
    }
    CUgraphNode add_fill(CUgraph graph, const CUDA_MEMSET_NODE_PARAMS& parameters, const Nodes& after = {}) const {
        auto [status, node] = cuGraphAddMemsetNode(graph, after.data(), after.size(), &parameters, context);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return node;
    }
    static CUDA_MEMCPY3D linear_copy(CUdeviceptr to, CUdeviceptr from, std::size_t count) {
        CUDA_MEMCPY3D copy{};
        copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.srcDevice = from;
        copy.dstDevice = to;
        copy.WidthInBytes = count;
        copy.Height = copy.Depth = 1;
        return copy;
    }
    CUgraphNode add_copy(CUgraph graph, const CUDA_MEMCPY3D& parameters, const Nodes& after = {}) const {
        auto [status, node] = cuGraphAddMemcpyNode(graph, after.data(), after.size(), &parameters, context);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return node;
    }
    static CUgraphExec instantiate(CUgraph graph, unsigned long long flags = 0) {
        auto [status, executable] = cuGraphInstantiateWithFlags(graph, flags);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return executable;
    }
    static void launch(CUgraphExec executable, CUstream stream) {
        EXPECT_EQ(cuGraphLaunch(executable, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    }
    static Nodes nodes_of(CUgraph graph) {
        Nodes nodes(cuGraphGetNodes(graph, nullptr, 0).value);
        EXPECT_EQ(cuGraphGetNodes(graph, nodes.data(), nodes.size()).status, CUDA_SUCCESS);
        return nodes;
    }
    static std::vector<CUgraphNodeType> types_of(CUgraph graph) {
        std::vector<CUgraphNodeType> types;
        for (const CUgraphNode node : nodes_of(graph)) types.push_back(cuGraphNodeGetType(node).value);
        return types;
    }
    /// Returns the edges as text such as "0>1 0>2", with nodes by their index in the graph.
    static std::string edges_of(CUgraph graph) {
        const Nodes nodes = nodes_of(graph);
        const std::size_t count = cuGraphGetEdges(graph, nullptr, nullptr, nullptr, 0).value;
        Nodes from(count);
        Nodes to(count);
        EXPECT_EQ(cuGraphGetEdges(graph, from.data(), to.data(), nullptr, count).status, CUDA_SUCCESS);
        const auto index_of = [&](CUgraphNode node) {
            return std::to_string(std::find(nodes.begin(), nodes.end(), node) - nodes.begin());
        };
        std::string text;
        for (std::size_t i = 0; i < count; ++i) text += (i != 0 ? " " : "") + index_of(from[i]) + ">" + index_of(to[i]);
        return text;
    }
    static std::vector<std::uint8_t> read(CUdeviceptr from, std::size_t count) {
        std::vector<std::uint8_t> host(count);
        EXPECT_EQ(cuMemcpyDtoH(host.data(), from, count).status, CUDA_SUCCESS);
        return host;
    }
    static CUstreamCaptureStatus capture_status(CUstream stream) { return cuStreamIsCapturing(stream).value; }

    CallLog call_log;
};

}  // namespace cubind::testing

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim_test.hpp"

#include <cubind/driver/constants.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>

namespace cubind::testing {

/// What host nodes wrote down, in the order in which they were called.
class Diary {
public:
    struct Entry {
        Diary* diary;
        char letter;
    };

    Entry* entry(char letter) {
        entries_.push_back(std::make_unique<Entry>(Entry{this, letter}));
        return entries_.back().get();
    }
    std::string text() const {
        const std::lock_guard lock(mutex_);
        return text_;
    }
    static void write(void* entry) {
        auto* const what = static_cast<Entry*>(entry);
        const std::lock_guard lock(what->diary->mutex_);
        what->diary->text_ += what->letter;
    }

private:
    mutable std::mutex mutex_;
    std::string text_;
    std::vector<std::unique_ptr<Entry>> entries_;
};

/// Shorthands for graphs.
class GraphTest : public SimTest {
protected:
    using Nodes = std::vector<CUgraphNode>;

    static CUgraph new_graph() {
        auto [status, created] = cuGraphCreate(0);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return created;
    }
    static CUgraphNode empty(CUgraph graph, const Nodes& after = {}) {
        auto [status, node] = cuGraphAddEmptyNode(graph, after.data(), after.size());
        EXPECT_EQ(status, CUDA_SUCCESS);
        return node;
    }
    CUgraphNode note(CUgraph graph, char letter, const Nodes& after = {}) {
        const CUDA_HOST_NODE_PARAMS call{Diary::write, diary.entry(letter)};
        auto [status, node] = cuGraphAddHostNode(graph, after.data(), after.size(), &call);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return node;
    }
    static CUDA_MEMSET_NODE_PARAMS bytes(CUdeviceptr to, unsigned value, std::size_t count) {
        return {.dst = to, .pitch = 0, .value = value, .elementSize = 1, .width = count, .height = 1};
    }
    CUgraphNode fill(CUgraph graph, const CUDA_MEMSET_NODE_PARAMS& what, const Nodes& after = {}) const {
        auto [status, node] = cuGraphAddMemsetNode(graph, after.data(), after.size(), &what, context);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return node;
    }
    static CUDA_MEMCPY3D line(CUdeviceptr to, CUdeviceptr from, std::size_t count) {
        CUDA_MEMCPY3D copy{};
        copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.srcDevice = from;
        copy.dstDevice = to;
        copy.WidthInBytes = count;
        copy.Height = copy.Depth = 1;
        return copy;
    }
    CUgraphNode copy(CUgraph graph, const CUDA_MEMCPY3D& what, const Nodes& after = {}) const {
        auto [status, node] = cuGraphAddMemcpyNode(graph, after.data(), after.size(), &what, context);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return node;
    }
    static CUgraphExec executable(CUgraph graph, unsigned long long flags = 0) {
        auto [status, made] = cuGraphInstantiateWithFlags(graph, flags);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return made;
    }
    static void launch(CUgraphExec executable, CUstream in) {
        EXPECT_EQ(cuGraphLaunch(executable, in).status, CUDA_SUCCESS);
        EXPECT_EQ(cuStreamSynchronize(in).status, CUDA_SUCCESS);
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
    /// "0>1 0>2": nodes by their place in the graph.
    static std::string edges_of(CUgraph graph) {
        const Nodes nodes = nodes_of(graph);
        const std::size_t count = cuGraphGetEdges(graph, nullptr, nullptr, nullptr, 0).value;
        Nodes from(count);
        Nodes to(count);
        EXPECT_EQ(cuGraphGetEdges(graph, from.data(), to.data(), nullptr, count).status, CUDA_SUCCESS);
        const auto place = [&](CUgraphNode node) {
            return std::to_string(std::find(nodes.begin(), nodes.end(), node) - nodes.begin());
        };
        std::string text;
        for (std::size_t i = 0; i < count; ++i) text += (i != 0 ? " " : "") + place(from[i]) + ">" + place(to[i]);
        return text;
    }
    static std::vector<std::uint8_t> read(CUdeviceptr from, std::size_t count) {
        std::vector<std::uint8_t> host(count);
        EXPECT_EQ(cuMemcpyDtoH(host.data(), from, count).status, CUDA_SUCCESS);
        return host;
    }
    static CUstreamCaptureStatus capture_status(CUstream of) { return cuStreamIsCapturing(of).value; }

    Diary diary;
};

}  // namespace cubind::testing

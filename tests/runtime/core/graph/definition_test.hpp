// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/check.hpp>
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/driver/graph.hpp>

#include <memory>
#include <string>
#include <vector>

#include "core_test.hpp"

namespace cubind::testing {

/// `add` adds a number to each element of an array, in one block. `pair` has clusters of two blocks.
inline constexpr const char* graph_ptx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry add(.param .u64 data, .param .u32 value, .param .u32 n)
{
    .reg .pred %p; .reg .b32 %r<5>; .reg .b64 %d<3>;
    mov.u32 %r0, %tid.x;
    ld.param.u32 %r1, [n];
    setp.ge.u32 %p, %r0, %r1;
    @%p bra DONE;
    ld.param.u64 %d0, [data];
    mul.wide.u32 %d1, %r0, 4;
    add.u64 %d0, %d0, %d1;
    ld.param.u32 %r2, [value];
    ld.global.u32 %r3, [%d0];
    add.u32 %r3, %r3, %r2;
    st.global.u32 [%d0], %r3;
DONE:
    ret;
}
.visible .entry empty() { ret; }
.visible .global .align 4 .u32 counter = 7;
)";

/// A test with a stream, kernels and 16 numbers on device 0.
class DefinitionTest : public CoreTest {
protected:
    static constexpr unsigned int n = 16;

    explicit DefinitionTest(const sim::Options& options = {.devices = 2}) : CoreTest(options) {}

    static ObjectCode load() { return ObjectCode::from_bytes(CodeType::ptx, graph_ptx); }

    /// Launches the graph and returns the first number.
    unsigned int launch(const Graph& graph) {
        graph.launch(stream);
        return first();
    }
    unsigned int first() {
        unsigned int number = 0;
        copy(stream, number, data.first(1));
        stream.synchronize();
        return number;
    }
    /// Returns the sizes of the lists of predecessors and successors.
    static std::pair<std::size_t, std::size_t> degrees(const GraphNode& node) {
        return {node.predecessors().size(), node.successors().size()};
    }

    const Device device{0};
    const Stream stream{device};
    const ObjectCode code = load();
    const Kernel add = code.kernel("add");
    const LaunchConfig config{.grid = 1, .block = n};
    TypedBuffer<unsigned int> data = zeros();

    TypedBuffer<unsigned int> zeros() const {
        auto numbers = device.allocate<unsigned int>(stream, n);
        fill(stream, numbers, 0);
        stream.synchronize();
        return numbers;
    }
};

}  // namespace cubind::testing

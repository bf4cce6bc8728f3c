// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/array/array.hpp>
#include <cubind/core/graph/executable_node.hpp>
#include <cubind/core/memory/pitched_buffer.hpp>

#include <numeric>
#include <vector>

#include "definition_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Copies in two and three dimensions as nodes.
class CopyNodeTest : public DefinitionTest {
protected:
    static constexpr std::size_t width = 4;
    static constexpr std::size_t height = 3;

    static std::vector<float> counted(std::size_t count, float first = 0) {
        std::vector<float> numbers(count);
        std::iota(numbers.begin(), numbers.end(), first);
        return numbers;
    }
    Array make_array(ArrayOptions options) const {
        options.format = ArrayFormat::of<float>();
        return Array(device, options);
    }
    void run(const GraphDefinition& definition) {
        definition.instantiate().launch(stream);
        stream.synchronize();
    }
};

TEST_F(CopyNodeTest, CopiesBetweenArraysPitchedMemoryAndTheHost) {
    const Array array = make_array({.width = width, .height = height});
    auto pitched = device.allocate_pitched<float>(stream, {.width = width, .height = height});
    const std::vector<float> numbers = counted(width * height);
    std::vector<float> results(numbers.size());
    GraphDefinition definition(device);
    const CopyNode node = definition.copy(array, numbers);
    node.copy(pitched, array).copy(results, pitched);
    EXPECT_EQ(node.size(), numbers.size() * sizeof(float));
    EXPECT_EQ(node.source(), reinterpret_cast<driver::CUdeviceptr>(numbers.data()));
    EXPECT_EQ(node.parameters().dstArray, array.native_handle());
    run(definition);
    EXPECT_EQ(results, numbers);
}

TEST_F(CopyNodeTest, CopiesPartsAndSlices) {
    const Array volume = make_array({.width = width, .height = height, .depth = 2});
    const std::vector<float> numbers = counted(width * height * 2);
    std::vector<float> part(2);
    GraphDefinition definition(device);
    definition.copy(volume, numbers).copy(part, volume.region({.x = 1, .y = 2, .z = 1}, {.width = 2, .height = 1, .depth = 1}));
    run(definition);
    EXPECT_EQ(part, (std::vector<float>{21, 22}));
}

TEST_F(CopyNodeTest, RetainsArraysAndBuffers) {
    std::vector<float> results(width * height);
    const std::vector<float> numbers = counted(results.size());
    GraphDefinition definition(device);
    {
        Array array = make_array({.width = width, .height = height});
        auto pitched = device.allocate_pitched<float>(stream, {.width = width, .height = height});
        stream.synchronize();
        definition.copy(array, numbers).copy(pitched, array).copy(results, pitched);
    }
    run(definition);
    EXPECT_EQ(results, numbers);
}

TEST_F(CopyNodeTest, ChangesItsOperands) {
    const Array array = make_array({.width = width, .height = height});
    const std::vector<float> first = counted(width * height);
    const std::vector<float> second = counted(width * height, 100);
    const std::vector<float> third = counted(width * height, 200);
    std::vector<float> results(first.size());
    GraphDefinition definition(device);
    const CopyNode node = definition.copy(array, first);
    node.copy(results, array);
    node.update(array, second);
    const Graph graph = definition.instantiate();
    graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(results, second);
    auto linear = device.allocate<float>(stream, third.size());
    EXPECT_THROW(graph[node].update(linear, third), Error) << "the driver does not change copies of two dimensions";
    node.update(array, third);
    graph.update(definition);
    graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(results, third);
}

TEST_F(CopyNodeTest, RejectsOperandsThatDoNotFit) {
    const Array array = make_array({.width = width, .height = height});
    const std::vector<float> numbers(width * height + 1);
    GraphDefinition definition(device);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { definition.copy(array, numbers); }),
                AllOf(HasSubstr("52 bytes"), HasSubstr("4 x 3 x")));
    auto empty = device.allocate_pitched<float>(stream, {.width = 0, .height = 0});
    EXPECT_THROW(definition.copy(array, empty), std::invalid_argument);
    EXPECT_TRUE(definition.nodes().empty());
}

TEST_F(CopyNodeTest, ReportsAFailureOfEachCall) {
    const Array array = make_array({.width = width, .height = height});
    const std::vector<float> numbers = counted(width * height);
    EXPECT_GE(sweep([&] {
                  GraphDefinition definition(device);
                  const CopyNode node = definition.copy(array, numbers);
                  node.update(array, numbers);
                  const Graph graph = definition.instantiate();
              }),
              8u);
}

}  // namespace
}  // namespace cubind::testing

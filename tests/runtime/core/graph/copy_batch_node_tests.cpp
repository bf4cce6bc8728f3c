// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/copy_batch_node.hpp>
#include <cubind/layers/layer.hpp>

#include <string_view>
#include <vector>

#include "definition_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Lets a node that another program has added have one of the kinds of CUDA 13.5, which the simulated driver does not have.
class ForeignNode final : public layers::Layer {
public:
    ForeignNode(const GraphNode& node, const driver::CUgraphNodeParams& params) : node_(node.native_handle()), params_(params) {
        layers::push(*this);
    }
    ~ForeignNode() { layers::remove(*this); }

    void handle(const Call& call, const layers::Next& next) noexcept override {
        next(call);
        const std::string_view name = call.function.symbol;
        if (call.failed()) return;
        if (name == "cuGraphNodeGetType" && argument<driver::CUgraphNode>(call, 0) == node_) {
            *argument<driver::CUgraphNodeType*>(call, 1) = params_.type;
        } else if (name == "cuGraphNodeGetParams" && argument<driver::CUgraphNode>(call, 0) == node_) {
            *argument<driver::CUgraphNodeParams*>(call, 1) = params_;
        }
    }

private:
    template <class Type>
    static Type argument(const Call& call, std::size_t index) {
        return *static_cast<Type*>(call.arguments[index]);
    }

    const driver::CUgraphNode node_;
    const driver::CUgraphNodeParams params_;
};

class CopyBatchNodeTest : public DefinitionTest {
protected:
    explicit CopyBatchNodeTest(const sim::Options& options = {.devices = 2}) : DefinitionTest(options) {
        copies.type = driver::CU_GRAPH_NODE_TYPE_MEMCPY_BATCH;
        copies.memcpyBatch = {destinations.size(), destinations.data(), sources.data(), sizes.data(),
                              attributes.data(),   first.data(),        first.size(),   {}};
    }

    static driver::CUmemcpyAttributes attributes_with(driver::CUmemcpySrcAccessOrder order) {
        driver::CUmemcpyAttributes attributes{};
        attributes.srcAccessOrder = order;
        return attributes;
    }

    std::vector<driver::CUdeviceptr> destinations{0x100, 0x200, 0x300};
    std::vector<driver::CUdeviceptr> sources{0x1100, 0x1200, 0x1300};
    std::vector<std::size_t> sizes{16, 32, 48};
    std::vector<driver::CUmemcpyAttributes> attributes{attributes_with(driver::CU_MEMCPY_SRC_ACCESS_ORDER_STREAM),
                                                       attributes_with(driver::CU_MEMCPY_SRC_ACCESS_ORDER_ANY)};
    std::vector<std::size_t> first{0, 2};
    driver::CUgraphNodeParams copies{};
    GraphDefinition definition{device};
    GraphNode node = definition.empty();
};

TEST_F(CopyBatchNodeTest, ReturnsTheCopiesWithTheirOptions) {
    attributes[1].flags = driver::CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE;
    attributes[1].dstLocHint = {driver::CU_MEM_LOCATION_TYPE_DEVICE, {1}};
    attributes[1].srcLocHint.type = driver::CU_MEM_LOCATION_TYPE_HOST;
    const ForeignNode foreign(node, copies);
    ASSERT_TRUE(node.is<CopyBatchNode>());
    const CopyOptions last{.source_access_order = SourceAccessOrder::any,
                           .source_location_hint = MemoryLocation(Host{}),
                           .destination_location_hint = MemoryLocation(Device(1)),
                           .prefer_overlap_with_compute = true};
    EXPECT_THAT(node.as<CopyBatchNode>().copies(),
                ElementsAre(NodeCopy{0x100, 0x1100, 16, {}}, NodeCopy{0x200, 0x1200, 32, {}}, NodeCopy{0x300, 0x1300, 48, last}));
}

TEST_F(CopyBatchNodeTest, ReturnsCopiesWithoutAttributes) {
    copies.memcpyBatch.numAttrs = 0;
    copies.memcpyBatch.attrs = nullptr;
    copies.memcpyBatch.attrsIdxs = nullptr;
    const ForeignNode foreign(node, copies);
    EXPECT_THAT(node.as<CopyBatchNode>().copies(),
                ElementsAre(NodeCopy{0x100, 0x1100, 16, {}}, NodeCopy{0x200, 0x1200, 32, {}}, NodeCopy{0x300, 0x1300, 48, {}}));
}

TEST_F(CopyBatchNodeTest, NamesTheKindsOfOtherNodes) {
    const auto mistake = [&] { return message_of<std::invalid_argument>([&] { (void)node.as<KernelNode>(); }); };
    {
        const ForeignNode foreign(node, copies);
        EXPECT_EQ(node.type(), driver::CU_GRAPH_NODE_TYPE_MEMCPY_BATCH);
        EXPECT_THAT(mistake(), AllOf(HasSubstr("\"copy batch\""), HasSubstr("\"kernel\"")));
    }
    driver::CUgraphNodeParams params{};
    params.type = driver::CU_GRAPH_NODE_TYPE_EXTERNAL_ENGINE;
    {
        const ForeignNode foreign(node, params);
        EXPECT_EQ(node.as<ExternalEngineNode>(), node);
        EXPECT_THAT(mistake(), HasSubstr("\"external engine\""));
    }
    params.type = driver::CU_GRAPH_NODE_TYPE_FABRIC_CPY_BATCH;
    {
        const ForeignNode foreign(node, params);
        EXPECT_THAT(mistake(), HasSubstr("\"fabric copy batch\""));
    }
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)node.as<CopyBatchNode>(); }),
                AllOf(HasSubstr("\"empty\""), HasSubstr("\"copy batch\"")));
}

TEST_F(CopyBatchNodeTest, ReturnsTheCopiesOfAFabric) {
    std::vector<driver::CUDA_FABRIC_COPY_BATCH_OP> operations(2);
    operations[0].size = 64;
    operations[1].size = 128;
    driver::CUgraphNodeParams params{};
    params.type = driver::CU_GRAPH_NODE_TYPE_FABRIC_CPY_BATCH;
    params.fabricCpyBatch = {operations.size(), operations.data(), 0, {}};
    const ForeignNode foreign(node, params);
    const auto found = node.as<FabricCopyBatchNode>().copies();
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].size, 64u);
    EXPECT_EQ(found[1].size, 128u);
}

TEST_F(CopyBatchNodeTest, ReportsAFailureOfEachCall) {
    const ForeignNode foreign(node, copies);
    EXPECT_EQ(sweep([&] { (void)node.as<CopyBatchNode>().copies(); }), 2u);
}

class OldCopyBatchNodeTest : public CopyBatchNodeTest {
protected:
    OldCopyBatchNodeTest() : CopyBatchNodeTest({.devices = 1, .release = "13.1"}) {}
};

TEST_F(OldCopyBatchNodeTest, NamesTheReleaseThatReportsTheCopies) {
    const ForeignNode foreign(node, copies);
    EXPECT_THAT(message_of<Error>([&] { (void)node.as<CopyBatchNode>().copies(); }),
                AllOf(HasSubstr("cuGraphNodeGetParams"), HasSubstr("13.2")));
}

}  // namespace
}  // namespace cubind::testing

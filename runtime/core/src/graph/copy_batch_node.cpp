// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/copy_batch_node.hpp>
#include <cubind/driver/graph.hpp>

#include <optional>

#include "calls/driver.hpp"
#include "memory/copy_attributes.hpp"

namespace CUBIND_NAMESPACE {

std::vector<NodeCopy> CopyBatchNode::copies() const {
    const auto params = check(driver::cuGraphNodeGetParams(native_handle())).memcpyBatch;
    std::vector<NodeCopy> copies;
    copies.reserve(params.count);
    std::size_t attributes = 0;  // each entry applies from the copy with its index on
    for (std::size_t i = 0; i < params.count; ++i) {
        while (attributes + 1 < params.numAttrs && params.attrsIdxs[attributes + 1] <= i) ++attributes;
        const CopyOptions options = params.numAttrs != 0 ? detail::options_of(params.attrs[attributes]) : CopyOptions{};
        copies.push_back({params.dsts[i], params.srcs[i], params.sizes[i], options});
    }
    return copies;
}

std::vector<driver::CUDA_FABRIC_COPY_BATCH_OP> FabricCopyBatchNode::copies() const {
    const auto params = check(driver::cuGraphNodeGetParams(native_handle())).fabricCpyBatch;
    return {params.opList, params.opList + params.numOps};
}

}  // namespace CUBIND_NAMESPACE

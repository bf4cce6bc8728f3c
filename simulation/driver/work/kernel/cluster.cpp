// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/kernel/cluster.hpp"

#include <algorithm>

#include "objects/module/occupancy.hpp"
#include "work/kernel/launch_attributes.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

// Returns the cluster that the code or the program has set, or {0, 0, 0}.
Extent3 cluster_of(const KernelView& view) {
    const auto extent = [&](CUfunction_attribute attribute) { return static_cast<unsigned>(view.get(attribute)); };
    return {extent(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH), extent(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT),
            extent(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH)};
}

}  // namespace

CUresult find_cluster(const KernelView& view, const CUlaunchConfig& config, Extent3& cluster) {
    if (config.numAttrs != 0 && config.attrs == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cluster = cluster_of(view);
    const bool is_fixed = cluster.x != 0;
    const CUlaunchAttributeValue* const attribute = find_attribute(config, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
    const Extent3 requested = attribute != nullptr
                                  ? Extent3{attribute->clusterDim.x, attribute->clusterDim.y, attribute->clusterDim.z}
                                  : Extent3{0, 0, 0};
    if (!(requested == Extent3{0, 0, 0})) {  // {0, 0, 0} requests none
        if (is_fixed && !(requested == cluster)) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
        cluster = requested;
    } else if (!is_fixed) {
        cluster = {0, 0, 0};
        return view.kernel.must_have_cluster ? CUDA_ERROR_INVALID_CLUSTER_SIZE : CUDA_SUCCESS;
    }
    if (cluster.x == 0 || cluster.y == 0 || cluster.z == 0) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    auto max_blocks = static_cast<unsigned>(max_cluster_blocks(view));
    if (const unsigned kernel_limit = view.kernel.max_cluster_blocks) max_blocks = std::min(max_blocks, kernel_limit);
    const bool is_too_large =
        std::max({cluster.x, cluster.y, cluster.z}) > max_blocks || cluster.x * cluster.y * cluster.z > max_blocks;
    const bool divides = config.gridDimX % cluster.x == 0 && config.gridDimY % cluster.y == 0 && config.gridDimZ % cluster.z == 0;
    return is_too_large || !divides ? CUDA_ERROR_INVALID_CLUSTER_SIZE : CUDA_SUCCESS;
}

int threads_of(const CUlaunchConfig& config) noexcept {
    constexpr unsigned limit = 1 << 10;
    if (std::max({config.blockDimX, config.blockDimY, config.blockDimZ}) > limit) return 0;
    return static_cast<int>(config.blockDimX * config.blockDimY * config.blockDimZ);
}

}  // namespace CUBIND_NAMESPACE::sim

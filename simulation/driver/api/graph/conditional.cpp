// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/constants.hpp>

#include <simulation/functions.hpp>

#include "machine/graph_check.hpp"

namespace CUBIND_NAMESPACE::sim {

extern "C" {

CUresult sim_cuGraphConditionalHandleCreate(CUgraphConditionalHandle* pHandle_out, CUgraph hGraph, CUcontext ctx,
                                            unsigned int defaultLaunchValue, unsigned int flags) {
    const Valid<GraphCheck> graph(hGraph);
    if (pHandle_out == nullptr || (flags & ~unsigned{CU_GRAPH_COND_ASSIGN_DEFAULT}) != 0) return CUDA_ERROR_INVALID_VALUE;
    if (ctx == nullptr || ContextCheck(ctx).failed()) return CUDA_ERROR_INVALID_CONTEXT;
    const CUgraphConditionalHandle handle = new_handle_value();
    const bool is_reset = (flags & CU_GRAPH_COND_ASSIGN_DEFAULT) != 0;
    graph.store().conditions.emplace(
        handle, std::shared_ptr<Condition>(new Condition{handle, hGraph, ctx, defaultLaunchValue, is_reset}));
    return write_output(pHandle_out, handle);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim

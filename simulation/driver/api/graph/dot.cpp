// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/dot.hpp"

#include <fstream>
#include <simulation/functions.hpp>

#include "machine/graph_check.hpp"
#include "platform/write_signals.hpp"

namespace CUBIND_NAMESPACE::sim {

extern "C" {

CUresult sim_cuGraphDebugDotPrint(CUgraph hGraph, const char* path, unsigned int flags) {
    const Valid<GraphCheck> graph(hGraph);
    if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cubind::detail::WithoutWriteSignals signals;
    signals.has_failed = true;  // if any write fails
    std::ofstream file(path);
    if (!file) return CUDA_ERROR_OPERATING_SYSTEM;
    write_dot(file, *graph, (flags & (CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES | CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE)) != 0);
    return file.flush() ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim

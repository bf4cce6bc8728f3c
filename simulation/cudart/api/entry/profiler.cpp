// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

extern "C" {

// A simulation has no counters that a profiler could start.
cudaError_t sim_cudaProfilerStart() {
    return bind_context();
}

cudaError_t sim_cudaProfilerStop() {
    return bind_context();
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

extern "C" {

// Neither version requires a driver that works. NVIDIA's library initializes the driver nevertheless.
cudaError_t sim_cudaDriverGetVersion(int* driverVersion) {
    static_cast<void>(initialize());
    return status_of(cuDriverGetVersion(driverVersion));
}

cudaError_t sim_cudaRuntimeGetVersion(int* runtimeVersion) {
    if (runtimeVersion == nullptr) return cudaErrorInvalidValue;
    *runtimeVersion = CUDART_VERSION;
    return cudaSuccess;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart

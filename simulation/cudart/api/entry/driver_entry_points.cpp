// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

cudaError_t find(const char* symbol, void** function, int release, unsigned long long flags,
                 cudaDriverEntryPointQueryResult* found) {
    if (symbol == nullptr || function == nullptr || flags > cudaEnablePerThreadDefaultStream) return cudaErrorInvalidValue;
    if (flags == cudaEnableDefault && thread_state.uses_per_thread_stream) flags = cudaEnablePerThreadDefaultStream;
    if (const cudaError_t status = initialize()) return status;
    CUdriverProcAddressQueryResult answer = CU_GET_PROC_ADDRESS_SUCCESS;
    if (const CUresult status = cuGetProcAddress_v2(symbol, function, release, flags, &answer)) return status_of(status);
    if (found != nullptr) {
        *found = static_cast<cudaDriverEntryPointQueryResult>(answer);
        return cudaSuccess;
    }
    return answer == CU_GET_PROC_ADDRESS_SUCCESS ? cudaSuccess : cudaErrorSymbolNotFound;
}

}  // namespace

extern "C" {

// As with NVIDIA's library, this fails if the driver is of an earlier release than the library: the driver rejects releases later
// than its own.
cudaError_t sim_cudaGetDriverEntryPoint(const char* symbol, void** funcPtr, unsigned long long flags,
                                        cudaDriverEntryPointQueryResult* driverStatus) {
    return find(symbol, funcPtr, CUDART_VERSION, flags, driverStatus);
}

cudaError_t sim_cudaGetDriverEntryPointByVersion(const char* symbol, void** funcPtr, unsigned int cudaVersion,
                                                 unsigned long long flags, cudaDriverEntryPointQueryResult* driverStatus) {
    return find(symbol, funcPtr, static_cast<int>(cudaVersion), flags, driverStatus);
}

// There are no tables.
cudaError_t sim_cudaGetExportTable(const void**, const cudaUUID_t*) {
    return cudaErrorInvalidValue;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

constexpr unsigned no_flags = 0;  // the runtime library accepts any flags, and the driver does not

}  // namespace

extern "C" {

// The log levels of both libraries have the same values.
cudaError_t sim_cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc, void* userData, cudaLogsCallbackHandle* callback_out) {
    return call(cuLogsRegisterCallback, reinterpret_cast<CUlogsCallback>(callbackFunc), userData, callback_out);
}

cudaError_t sim_cudaLogsCurrent(cudaLogIterator* iterator_out, unsigned int flags) {
    return call(cuLogsCurrent, iterator_out, flags);
}

cudaError_t sim_cudaLogsDumpToFile(cudaLogIterator* iterator, const char* pathToFile, unsigned int /*flags*/) {
    return call(cuLogsDumpToFile, iterator, pathToFile, no_flags);
}

cudaError_t sim_cudaLogsDumpToMemory(cudaLogIterator* iterator, char* buffer, std::size_t* size, unsigned int /*flags*/) {
    return call(cuLogsDumpToMemory, iterator, buffer, size, no_flags);
}

cudaError_t sim_cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback) {
    return call(cuLogsUnregisterCallback, callback);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

extern "C" {

cudaError_t sim_cudaMemAdvise(const void* devPtr, std::size_t count, cudaMemoryAdvise advice, cudaMemLocation location) {
    return call_in_context(cuMemAdvise_v2, devPtr, count, advice, location);
}

cudaError_t sim_cudaMemPrefetchAsync(const void* devPtr, std::size_t count, cudaMemLocation location, unsigned int flags,
                                     cudaStream_t stream) {
    return call_in_context(cuMemPrefetchAsync_v2, devPtr, count, location, flags, driver_stream(stream));
}

cudaError_t sim_cudaMemPrefetchBatchAsync(void** dptrs, std::size_t* sizes, std::size_t count, cudaMemLocation* prefetchLocs,
                                          std::size_t* prefetchLocIdxs, std::size_t numPrefetchLocs, unsigned long long flags,
                                          cudaStream_t stream) {
    return call_in_context(cuMemPrefetchBatchAsync, dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags,
                           driver_stream(stream));
}

cudaError_t sim_cudaMemDiscardBatchAsync(void** dptrs, std::size_t* sizes, std::size_t count, unsigned long long flags,
                                         cudaStream_t stream) {
    return call_in_context(cuMemDiscardBatchAsync, dptrs, sizes, count, flags, driver_stream(stream));
}

cudaError_t sim_cudaMemDiscardAndPrefetchBatchAsync(void** dptrs, std::size_t* sizes, std::size_t count,
                                                    cudaMemLocation* prefetchLocs, std::size_t* prefetchLocIdxs,
                                                    std::size_t numPrefetchLocs, unsigned long long flags, cudaStream_t stream) {
    return call_in_context(cuMemDiscardAndPrefetchBatchAsync, dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs,
                           flags, driver_stream(stream));
}

cudaError_t sim_cudaMemRangeGetAttribute(void* data, std::size_t dataSize, cudaMemRangeAttribute attribute, const void* devPtr,
                                         std::size_t count) {
    return call_in_context(cuMemRangeGetAttribute, data, dataSize, attribute, devPtr, count);
}

cudaError_t sim_cudaMemRangeGetAttributes(void** data, std::size_t* dataSizes, cudaMemRangeAttribute* attributes,
                                          std::size_t numAttributes, const void* devPtr, std::size_t count) {
    return call_in_context(cuMemRangeGetAttributes, data, dataSizes, attributes, numAttributes, devPtr, count);
}

cudaError_t sim_cudaStreamAttachMemAsync(cudaStream_t stream, void* devPtr, std::size_t length, unsigned int flags) {
    return call_in_context(cuStreamAttachMemAsync, driver_stream(stream), devPtr, length, flags);
}

cudaError_t sim_cudaMemGetLocationInfo(void* devPtr, std::size_t size, std::size_t summaryGranularity,
                                       std::size_t samplingGranularity, cudaMemLocation* location_out) {
    return call_since(13040, cuMemGetLocationInfo, devPtr, size, summaryGranularity, samplingGranularity, location_out);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>
#include <vector>

#include "graph/capture/capture.hpp"
#include "machine/stream_check.hpp"
#include "machine/submit.hpp"
#include "objects/memory/managed.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// A range to prefetch, and its destination.
struct Prefetch {
    std::shared_ptr<Allocation> memory;
    std::size_t offset;
    std::size_t bytes;
    Advice::Location target;
};

CUresult submit(const StreamCheck& stream, std::vector<Prefetch> all) {
    return submit_uncaptured(stream, [all = std::move(all)] {
        for (const Prefetch& each : all) {
            each.memory->advice->change(each.offset, each.bytes, [&](Advice& advice) { advice.last_prefetch = each.target; });
        }
    });
}

// A batch requires a stream that is not the legacy default stream.
CUresult check_batch(const StreamCheck& stream, const CUdeviceptr* addresses, const std::size_t* sizes, std::size_t count,
                     unsigned long long flags) {
    if (stream.failed()) return stream.status;
    const bool has_arrays = addresses != nullptr && sizes != nullptr && count != 0 && flags == 0;
    if (!has_arrays || stream.stream == stream->context->order.legacy()) return CUDA_ERROR_INVALID_VALUE;
    for (std::size_t i = 0; i < count; ++i) {
        if (find_managed(machine().memory, addresses[i], sizes[i]) == nullptr) return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

// Each location applies from the range with its index up to the range with the next location's index.
CUresult make_batch(const CUdeviceptr* addresses, const std::size_t* sizes, std::size_t count, const CUmemLocation* locations,
                    const std::size_t* first, std::size_t location_count, std::vector<Prefetch>& all) {
    if (locations == nullptr || first == nullptr || location_count == 0 || location_count > count || first[0] != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (std::size_t i = 1; i < location_count; ++i) {
        if (first[i] <= first[i - 1] || first[i] >= count) return CUDA_ERROR_INVALID_VALUE;
    }
    std::size_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (at + 1 < location_count && first[at + 1] == i) ++at;
        Advice::Location target;
        if (const CUresult status = convert_location(locations[at], machine().devices, target)) return status;
        auto memory = find_managed(machine().memory, addresses[i], sizes[i]);
        if (memory == nullptr) return CUDA_ERROR_INVALID_VALUE;
        const std::size_t offset = addresses[i] - memory->base;
        all.push_back({std::move(memory), offset, sizes[i], target});
    }
    return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult sim_cuMemPrefetchAsync_v2(CUdeviceptr devPtr, std::size_t count, CUmemLocation location, unsigned int flags,
                                   CUstream hStream) {
    const Valid<StreamCheck> stream(hStream);
    auto memory = find_managed(machine().memory, devPtr, count);
    if (memory == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    Advice::Location target;
    if (const CUresult status = convert_location(location, machine().devices, target)) return status;
    const std::size_t offset = devPtr - memory->base;
    return submit(stream, {{std::move(memory), offset, count, target}});
}

CUresult sim_cuMemPrefetchAsync(CUdeviceptr devPtr, std::size_t count, CUdevice dstDevice, CUstream hStream) {
    return sim_cuMemPrefetchAsync_v2(devPtr, count, location_of(dstDevice), 0, hStream);
}

CUresult sim_cuMemPrefetchBatchAsync(CUdeviceptr* dptrs, std::size_t* sizes, std::size_t count, CUmemLocation* prefetchLocs,
                                     std::size_t* prefetchLocIdxs, std::size_t numPrefetchLocs, unsigned long long flags,
                                     CUstream hStream) {
    const StreamCheck stream(hStream);
    if (const CUresult status = check_batch(stream, dptrs, sizes, count, flags)) return status;
    std::vector<Prefetch> all;
    const CUresult status = make_batch(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, all);
    return status == CUDA_SUCCESS ? submit(stream, std::move(all)) : status;
}

// Discarded memory has undefined content, so the old content may stay.
CUresult sim_cuMemDiscardBatchAsync(CUdeviceptr* dptrs, std::size_t* sizes, std::size_t count, unsigned long long flags,
                                    CUstream hStream) {
    return check_batch(StreamCheck(hStream), dptrs, sizes, count, flags);
}

CUresult sim_cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* dptrs, std::size_t* sizes, std::size_t count,
                                               CUmemLocation* prefetchLocs, std::size_t* prefetchLocIdxs,
                                               std::size_t numPrefetchLocs, unsigned long long flags, CUstream hStream) {
    return sim_cuMemPrefetchBatchAsync(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, hStream);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim

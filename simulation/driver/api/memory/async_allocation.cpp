// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/free_memory.hpp"
#include "machine/submit.hpp"
#include "machine/unsafe_call.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

CUresult check_captures(const StreamCheck& stream) {
    return stream.is_captured() ? CUDA_SUCCESS : check_unsafe_call();
}

CUresult allocate_from_pool(CUdeviceptr* dptr, std::size_t bytes, const std::shared_ptr<Pool>& pool, const StreamCheck& stream) {
    if (const CUresult status = check_captures(stream)) return status;
    if (dptr == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (bytes == 0) return write_output(dptr, CUdeviceptr{0});
    return allocate(stream, pool, bytes, *dptr);
}

}  // namespace

extern "C" {

CUresult sim_cuMemAllocAsync(CUdeviceptr* dptr, std::size_t bytesize, CUstream hStream) {
    const Valid<StreamCheck> stream(hStream);
    Device& device = stream->context->device;
    std::shared_ptr<Pool> pool;
    {
        const std::lock_guard lock(device.pool_mutex);
        pool = device.current_pool;
    }
    return allocate_from_pool(dptr, bytesize, pool, stream);
}

CUresult sim_cuMemAllocFromPoolAsync(CUdeviceptr* dptr, std::size_t bytesize, CUmemoryPool pool, CUstream hStream) {
    const Valid<StreamCheck> stream(hStream);
    const auto found = machine().pools.find(pool);
    const bool can_allocate = found != nullptr && !found->is_imported();
    return can_allocate ? allocate_from_pool(dptr, bytesize, found, stream) : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream) {
    const Valid<StreamCheck> stream(hStream);
    if (const CUresult status = check_captures(stream)) return status;
    if (dptr == 0) return CUDA_SUCCESS;
    return free(stream, dptr);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim

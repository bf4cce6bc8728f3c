// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "capture/capture.hpp"
#include "capture/unsafe_call.hpp"
#include "machine/free_memory.hpp"
#include "objects/memory/allocate.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

CUresult check_captures(const StreamCheck& stream) {
    return stream.is_captured() ? CUDA_SUCCESS : check_unsafe_call();
}

// The memory is available immediately. If too little is free, waits for the device, since its streams may be about to
// free memory.
CUresult allocate_from_pool(CUdeviceptr* dptr, std::size_t bytes, const std::shared_ptr<Pool>& pool, const StreamCheck& stream) {
    if (const CUresult status = check_captures(stream)) return status;
    if (dptr == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (bytes == 0) return write_output(dptr, CUdeviceptr{0});
    if (stream.is_captured() && pool->kind != MemoryKind::device) return CUDA_ERROR_NOT_SUPPORTED;
    if (stream.is_captured()) return capture_allocation(stream, pool->device, bytes, *dptr);
    NewMemory memory = allocate(pool->kind, *stream->context, bytes, 0, pool);
    if (memory.status == CUDA_ERROR_OUT_OF_MEMORY) {
        wait_for_device(pool->device);
        memory = allocate(pool->kind, *stream->context, bytes, 0, pool);
    }
    return memory.status != CUDA_SUCCESS ? memory.status : write_output(dptr, CUdeviceptr{memory.allocation->base});
}

}  // namespace

extern "C" {

CUresult sim_cuMemAllocAsync(CUdeviceptr* dptr, std::size_t bytesize, CUstream hStream) {
    const StreamCheck stream(hStream);
    if (stream.failed()) return stream.status;
    Device& device = stream->context->device;
    std::shared_ptr<Pool> pool;
    {
        const std::lock_guard lock(device.pool_mutex);
        pool = device.current_pool;
    }
    return allocate_from_pool(dptr, bytesize, pool, stream);
}

CUresult sim_cuMemAllocFromPoolAsync(CUdeviceptr* dptr, std::size_t bytesize, CUmemoryPool pool, CUstream hStream) {
    const StreamCheck stream(hStream);
    if (stream.failed()) return stream.status;
    const auto found = machine().pools.find(pool);
    return found != nullptr ? allocate_from_pool(dptr, bytesize, found, stream) : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuMemFreeAsync(CUdeviceptr dptr, CUstream hStream) {
    const StreamCheck stream(hStream);
    if (stream.failed()) return stream.status;
    if (const CUresult status = check_captures(stream)) return status;
    if (dptr == 0) return CUDA_SUCCESS;
    if (stream.is_captured()) return capture_free(stream, dptr);
    MemoryMap& memory = machine().memory;
    const auto found = memory.find(dptr);
    if (found == nullptr || !memory.begin_free(dptr)) return CUDA_ERROR_INVALID_VALUE;
    const auto free = [&memory, found] {
        memory.remove(found->base, [&](const Allocation& each) { return &each == found.get(); });
    };
    try {
        const CUresult status = stream.submit(free);
        if (status != CUDA_SUCCESS) memory.cancel_free(*found);
        return status;
    } catch (...) {
        memory.cancel_free(*found);
        throw;
    }
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim

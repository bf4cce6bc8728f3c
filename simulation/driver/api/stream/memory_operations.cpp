// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/submit.hpp"
#include "work/memory_operation.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

CUresult submit_operations(CUstream handle, unsigned count, CUstreamBatchMemOpParams* parameters) {
    const Valid<StreamCheck> stream(handle);
    MemoryOperations operations;
    if (const CUresult status = MemoryOperations::make({stream->context->handle, count, parameters, 0}, operations))
        return status;
    return count == 0 ? CUDA_SUCCESS : submit(stream, std::move(operations));
}

template <class Value>
CUresult wait(CUstream stream, CUdeviceptr address, Value value, unsigned flags) {
    CUstreamBatchMemOpParams parameters{};
    parameters.waitValue.operation = sizeof value == 8 ? CU_STREAM_MEM_OP_WAIT_VALUE_64 : CU_STREAM_MEM_OP_WAIT_VALUE_32;
    parameters.waitValue.address = address;
    parameters.waitValue.value64 = value;
    parameters.waitValue.flags = flags;
    return submit_operations(stream, 1, &parameters);
}

template <class Value>
CUresult write(CUstream stream, CUdeviceptr address, Value value, unsigned flags) {
    CUstreamBatchMemOpParams parameters{};
    parameters.writeValue.operation = sizeof value == 8 ? CU_STREAM_MEM_OP_WRITE_VALUE_64 : CU_STREAM_MEM_OP_WRITE_VALUE_32;
    parameters.writeValue.address = address;
    parameters.writeValue.value64 = value;
    parameters.writeValue.flags = flags;
    return submit_operations(stream, 1, &parameters);
}

}  // namespace

extern "C" {

CUresult sim_cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags) {
    return wait(stream, addr, value, flags);
}

CUresult sim_cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags) {
    return wait(stream, addr, value, flags);
}

CUresult sim_cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags) {
    return write(stream, addr, value, flags);
}

CUresult sim_cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags) {
    return write(stream, addr, value, flags);
}

CUresult sim_cuStreamBatchMemOp_v2(CUstream stream, unsigned int count, CUstreamBatchMemOpParams* paramArray,
                                   unsigned int flags) {
    return flags == 0 ? submit_operations(stream, count, paramArray) : CUDA_ERROR_INVALID_VALUE;
}

// On a GPU, these first versions also require a setting of the driver.
CUresult sim_cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags) {
    return sim_cuStreamWaitValue32_v2(stream, addr, value, flags);
}

CUresult sim_cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags) {
    return sim_cuStreamWaitValue64_v2(stream, addr, value, flags);
}

CUresult sim_cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value, unsigned int flags) {
    return sim_cuStreamWriteValue32_v2(stream, addr, value, flags);
}

CUresult sim_cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value, unsigned int flags) {
    return sim_cuStreamWriteValue64_v2(stream, addr, value, flags);
}

CUresult sim_cuStreamBatchMemOp(CUstream stream, unsigned int count, CUstreamBatchMemOpParams* paramArray, unsigned int flags) {
    return sim_cuStreamBatchMemOp_v2(stream, count, paramArray, flags);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim

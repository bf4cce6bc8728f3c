// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/submit.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Checks that both contexts of a copy between devices exist. Null means the current context. The addresses alone determine which
// devices have the memory.
CUresult check_contexts(CUcontext a, CUcontext b) {
    if (const CUresult status = check_initialized()) return status;
    const auto exists = [](CUcontext context) { return context == nullptr || !ContextCheck(context).failed(); };
    return exists(a) && exists(b) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult copy_between_contexts(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, std::size_t bytes,
                               CUstream handle, TransferMode mode) {
    if (const CUresult status = check_contexts(to_context, from_context)) return status;
    const Valid<StreamCheck> stream(handle);
    if (bytes == 0) return CUDA_SUCCESS;
    return submit_between_contexts(stream, {device_place(to), device_place(from), {bytes}}, mode);
}

}  // namespace

extern "C" {

CUresult sim_cuMemcpy(CUdeviceptr dst, CUdeviceptr src, std::size_t ByteCount) {
    return transfer(any_place(dst), any_place(src), {ByteCount}, nullptr, TransferMode::sync);
}

CUresult sim_cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, std::size_t ByteCount, CUstream hStream) {
    return transfer(any_place(dst), any_place(src), {ByteCount}, hStream, TransferMode::async);
}

CUresult sim_cuMemcpyHtoD_v2(CUdeviceptr dstDevice, const void* srcHost, std::size_t ByteCount) {
    return transfer(device_place(dstDevice), host_place(srcHost), {ByteCount}, nullptr, TransferMode::sync);
}

CUresult sim_cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void* srcHost, std::size_t ByteCount, CUstream hStream) {
    return transfer(device_place(dstDevice), host_place(srcHost), {ByteCount}, hStream, TransferMode::async);
}

CUresult sim_cuMemcpyDtoH_v2(void* dstHost, CUdeviceptr srcDevice, std::size_t ByteCount) {
    return transfer(host_place(dstHost), device_place(srcDevice), {ByteCount}, nullptr, TransferMode::sync);
}

CUresult sim_cuMemcpyDtoHAsync_v2(void* dstHost, CUdeviceptr srcDevice, std::size_t ByteCount, CUstream hStream) {
    return transfer(host_place(dstHost), device_place(srcDevice), {ByteCount}, hStream, TransferMode::async);
}

CUresult sim_cuMemcpyDtoD_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, std::size_t ByteCount) {
    return transfer(device_place(dstDevice), device_place(srcDevice), {ByteCount}, nullptr, TransferMode::sync);
}

CUresult sim_cuMemcpyDtoDAsync_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, std::size_t ByteCount, CUstream hStream) {
    return transfer(device_place(dstDevice), device_place(srcDevice), {ByteCount}, hStream, TransferMode::async);
}

CUresult sim_cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
                          std::size_t ByteCount) {
    return copy_between_contexts(dstDevice, dstContext, srcDevice, srcContext, ByteCount, nullptr, TransferMode::sync);
}

CUresult sim_cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext,
                               std::size_t ByteCount, CUstream hStream) {
    return copy_between_contexts(dstDevice, dstContext, srcDevice, srcContext, ByteCount, hStream, TransferMode::async);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim

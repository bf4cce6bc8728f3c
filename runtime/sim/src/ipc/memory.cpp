// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "ipc/handles.hpp"
#include "machine/check.hpp"

/// Memory that one context shares with another. As with the driver, a context cannot open its own memory. All other
/// contexts act as other processes do, but they see the memory at the same address.
namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr std::uint64_t memory_kind = 1;

std::shared_ptr<Allocation> find_shareable(CUdeviceptr address) {
    auto found = machine().memory.find(address);
    const bool is_shareable = found != nullptr && found->kind == MemoryKind::device && found->pool == nullptr;
    return is_shareable ? found : nullptr;
}

}  // namespace

extern "C" {

CUresult sim_cuIpcGetMemHandle(CUipcMemHandle* pHandle, CUdeviceptr dptr) {
    const CurrentCheck context;
    if (context.failed()) return context.status;
    const auto found = find_shareable(dptr);
    if (found == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return write_output(pHandle, shared_handle<CUipcMemHandle>({machine().serial, memory_kind, found->base, found->id}));
}

CUresult sim_cuIpcOpenMemHandle_v2(CUdeviceptr* pdptr, CUipcMemHandle handle, unsigned int Flags) {
    const CurrentCheck context;
    if (context.failed()) return context.status;
    const auto shared = shared_object(handle, memory_kind);
    if (pdptr == nullptr || Flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS || !shared) return CUDA_ERROR_INVALID_VALUE;
    const auto found = find_shareable(shared->object);
    if (found == nullptr || found->id != shared->id) return CUDA_ERROR_INVALID_VALUE;
    if (found->context == context->handle) return CUDA_ERROR_INVALID_CONTEXT;
    machine().opened_memory.open(context->handle, found->base);
    return write_output(pdptr, CUdeviceptr{found->base});
}

CUresult sim_cuIpcOpenMemHandle(CUdeviceptr* pdptr, CUipcMemHandle handle, unsigned int Flags) {
    return sim_cuIpcOpenMemHandle_v2(pdptr, handle, Flags);
}

CUresult sim_cuIpcCloseMemHandle(CUdeviceptr dptr) {
    const CurrentCheck context;
    if (context.failed()) return context.status;
    return machine().opened_memory.close(context->handle, dptr) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim

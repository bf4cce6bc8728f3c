// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "ipc/handles.hpp"
#include "machine/check.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr std::uint64_t event_kind = 2;

}  // namespace

extern "C" {

CUresult sim_cuIpcGetEventHandle(CUipcEventHandle* pHandle, CUevent event) {
    if (const CUresult status = check_initialized()) return status;
    if (event == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto found = machine().events.find(event);
    if (found == nullptr || (found->flags & CU_EVENT_INTERPROCESS) == 0) return CUDA_ERROR_INVALID_HANDLE;
    const auto object = reinterpret_cast<std::uintptr_t>(event);
    return write_output(pHandle, shared_handle<CUipcEventHandle>({machine().serial, event_kind, object, 0}));
}

// Opens a second event in the current context, which shares its records with the exported event.
CUresult sim_cuIpcOpenEventHandle(CUevent* phEvent, CUipcEventHandle handle) {
    const CurrentCheck context;
    if (context.failed()) return context.status;
    const auto shared = shared_object(handle, event_kind);
    const auto found = shared ? machine().events.find(reinterpret_cast<CUevent>(shared->object)) : nullptr;
    if (phEvent == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (found == nullptr) return CUDA_ERROR_MAP_FAILED;
    if (found->context.get() == context.context) return CUDA_ERROR_INVALID_CONTEXT;
    const auto owner = machine().contexts.find(context->handle);
    if (owner == nullptr) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return write_output(phEvent, add_new(machine().events, owner, found->flags, found)->handle);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim

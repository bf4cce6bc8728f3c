// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstring>
#include <optional>
#include <simulation/functions.hpp>

#include "machine/check.hpp"

/// Events that processes share, and memory and events that one context shares with another. As with the driver, a context cannot
/// open its own objects. All other contexts act as other processes do, but they see memory at the same address.
namespace CUBIND_NAMESPACE::sim {

namespace {

/// The content of an IPC handle: the machine that exported it, and the object that it refers to.
struct SharedObject {
    std::uint64_t machine;
    std::uint64_t kind;
    std::uint64_t object;      ///< address or handle
    std::uint64_t id;          ///< ID of the allocation, to detect that it was freed
    SharedEvent::Place place;  ///< records of an event that processes share
};

/// Creates an IPC handle.
template <class Handle>
Handle shared_handle(const SharedObject& content) noexcept {
    static_assert(sizeof(SharedObject) <= sizeof(Handle));
    Handle handle{};
    std::memcpy(&handle, &content, sizeof content);
    return handle;
}

/// Returns the content of an IPC handle, or nullopt if it is of another kind.
template <class Handle>
std::optional<SharedObject> shared_object(const Handle& handle, std::uint64_t kind) noexcept {
    SharedObject content{};
    std::memcpy(&content, &handle, sizeof content);
    return content.kind == kind ? std::optional(content) : std::nullopt;
}

constexpr std::uint64_t memory_kind = 1;
constexpr std::uint64_t event_kind = 2;
constexpr unsigned opened_event_flags = CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING;

std::shared_ptr<Allocation> find_shareable(CUdeviceptr address) {
    auto found = machine().memory.find(address);
    const bool is_shareable = found != nullptr && found->kind == MemoryKind::device && found->pool == nullptr;
    return is_shareable ? found : nullptr;
}

}  // namespace

extern "C" {

CUresult sim_cuIpcGetMemHandle(CUipcMemHandle* pHandle, CUdeviceptr dptr) {
    const Valid<CurrentCheck> context;
    const auto found = find_shareable(dptr);
    if (found == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const SharedObject content{machine().serial, memory_kind, found->base, found->id, {}};
    return write_output(pHandle, shared_handle<CUipcMemHandle>(content));
}

CUresult sim_cuIpcOpenMemHandle_v2(CUdeviceptr* pdptr, CUipcMemHandle handle, unsigned int Flags) {
    const Valid<CurrentCheck> context;
    const auto shared = shared_object(handle, memory_kind);
    const bool is_lazy = (Flags & unsigned{CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS}) != 0;  // the driver ignores other flags
    if (pdptr == nullptr || !is_lazy || !shared || shared->machine != machine().serial) return CUDA_ERROR_INVALID_VALUE;
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
    const Valid<CurrentCheck> context;
    return machine().opened_memory.close(context->handle, dptr) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// The driver ends the process if the event is of another context than the current one.
CUresult sim_cuIpcGetEventHandle(CUipcEventHandle* pHandle, CUevent event) {
    const Valid<CurrentCheck> context;
    if (event == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto found = machine().events.find(event);
    if (found == nullptr || (found->flags & CU_EVENT_INTERPROCESS) == 0) return CUDA_ERROR_INVALID_HANDLE;
    if (found->context->handle != context->handle) return CUDA_ERROR_INVALID_CONTEXT;
    const auto object = reinterpret_cast<std::uintptr_t>(event);
    const SharedEvent::Place place = found->shared != nullptr ? found->shared->place() : SharedEvent::Place{};
    return write_output(pHandle, shared_handle<CUipcEventHandle>({machine().serial, event_kind, object, 0, place}));
}

// Creates a second event in the current context, which shares its records with the exported event.
CUresult sim_cuIpcOpenEventHandle(CUevent* phEvent, CUipcEventHandle handle) {
    const Valid<CurrentCheck> context;
    if (phEvent == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto content = shared_object(handle, event_kind);
    if (!content) return CUDA_ERROR_MAP_FAILED;
    const auto owner = machine().contexts.find(context->handle);
    if (owner == nullptr) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (!content->place.is_of_this_process()) {
        auto shared = SharedEvent::open(content->place);
        if (shared == nullptr) return CUDA_ERROR_MAP_FAILED;
        return write_output(phEvent, add_new(machine().events, owner, opened_event_flags, std::move(shared))->handle);
    }
    const auto found = machine().events.find(reinterpret_cast<CUevent>(content->object));
    if (found == nullptr || content->machine != machine().serial) return CUDA_ERROR_MAP_FAILED;
    if (found->context.get() == context.context) return CUDA_ERROR_INVALID_CONTEXT;
    return write_output(phEvent, add_new(machine().events, owner, found->flags, found)->handle);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim

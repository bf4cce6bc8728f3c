// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>
#include <utility>

#include "machine/stream_check.hpp"
#include "machine/submit.hpp"
#include "machine/unsafe_call.hpp"
#include "work/semaphore_operations.hpp"

/// Semaphores of another interface. There is no graphics driver in a simulation, so a program imports files; see
/// ExternalSemaphore.
namespace CUBIND_NAMESPACE::sim {

namespace {

template <class NodeParameters, class Parameters>
CUresult submit_batch(const CUexternalSemaphore* semaphores, const Parameters* parameters, unsigned count, CUstream handle) {
    const Valid<StreamCheck> stream(handle);
    NodeParameters requested{};
    requested.extSemArray = const_cast<CUexternalSemaphore*>(semaphores);
    requested.paramsArray = parameters;
    requested.numExtSems = count;
    requested.ctx = stream->context->handle;
    SemaphoreOperations<NodeParameters> operations;
    if (const CUresult status = SemaphoreOperations<NodeParameters>::make(requested, machine().external_semaphores, operations))
        return status;
    return submit(stream, std::move(operations));
}

}  // namespace

extern "C" {

CUresult sim_cuImportExternalSemaphore(CUexternalSemaphore* extSem_out,
                                       const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC* semHandleDesc) {
    const Valid<CurrentCheck> context;
    if (const CUresult status = check_unsafe_call()) return status;
    if (extSem_out == nullptr || semHandleDesc == nullptr || semHandleDesc->flags != 0) return CUDA_ERROR_INVALID_VALUE;
    const bool is_timeline = semHandleDesc->type == CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
    if (!is_timeline && semHandleDesc->type != CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD) return CUDA_ERROR_NOT_SUPPORTED;
    const auto owner = machine().contexts.find(context->handle);
    if (owner == nullptr) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    const auto file = ExternalFile::open(semHandleDesc->handle.fd, sizeof(std::uint64_t));
    if (file == nullptr) return CUDA_ERROR_UNKNOWN;
    auto view = file->map(0, sizeof(std::uint64_t));
    if (view == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    const auto kind = is_timeline ? ExternalSemaphore::Kind::timeline : ExternalSemaphore::Kind::binary;
    const auto made = add_new(machine().external_semaphores, owner, kind, file, std::move(view));
    file->own_descriptor();
    return write_output(extSem_out, made->handle);
}

CUresult sim_cuDestroyExternalSemaphore(CUexternalSemaphore extSem) {
    if (const CUresult status = check_initialized()) return status;
    if (const CUresult status = check_unsafe_call()) return status;
    return machine().external_semaphores.remove(extSem) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult sim_cuSignalExternalSemaphoresAsync(const CUexternalSemaphore* extSemArray,
                                             const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* paramsArray, unsigned int numExtSems,
                                             CUstream stream) {
    return submit_batch<CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2>(extSemArray, paramsArray, numExtSems, stream);
}

CUresult sim_cuWaitExternalSemaphoresAsync(const CUexternalSemaphore* extSemArray,
                                           const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* paramsArray, unsigned int numExtSems,
                                           CUstream stream) {
    return submit_batch<CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2>(extSemArray, paramsArray, numExtSems, stream);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim

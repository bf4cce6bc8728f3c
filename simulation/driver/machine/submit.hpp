// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/stream_check.hpp"
#include "work/copy.hpp"
#include "work/event.hpp"
#include "work/fill.hpp"
#include "work/host.hpp"
#include "work/kernel/launch.hpp"
#include "work/memory_operation.hpp"
#include "work/semaphore_operations.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The time at which a call returns.
enum class TransferMode {
    sync,   ///< when its work is done; cannot be captured
    async,  ///< when its work is submitted
};

// Each submit() adds the operation to the stream's capture if the stream is being captured. Otherwise the stream runs it.

/// Submits a call of a host function.
driver::CUresult submit(const StreamCheck& stream, const HostOperation& call);
/// Submits a launch, which has been checked.
driver::CUresult submit(const StreamCheck& stream, LaunchRequest request);
/// Submits a copy that is not empty. The device of the current context performs it. Pageable host memory is read, or written,
/// before the call returns.
driver::CUresult submit(const StreamCheck& stream, CopyOperation copy, TransferMode mode);
/// Submits a fill that is not empty.
driver::CUresult submit(const StreamCheck& stream, FillOperation fill, TransferMode mode);
/// Submits operations on values in memory, of which there is at least one.
driver::CUresult submit(const StreamCheck& stream, MemoryOperations operations);
/// Submits signals of external semaphores, of which there is at least one.
driver::CUresult submit(const StreamCheck& stream, SemaphoreSignals signals);
/// Submits waits for external semaphores, of which there is at least one.
driver::CUresult submit(const StreamCheck& stream, SemaphoreWaits waits);
/// Submits the record of an event. `flags` are 0 or CU_EVENT_RECORD_EXTERNAL.
driver::CUresult submit(const StreamCheck& stream, const RecordOperation& record, unsigned flags);
/// Submits the wait for an event. `flags` are 0 or CU_EVENT_WAIT_EXTERNAL.
driver::CUresult submit(const StreamCheck& stream, const WaitOperation& wait, unsigned flags);

/// Submits work that cannot be captured.
driver::CUresult submit_uncaptured(const StreamCheck& stream, WorkQueue::Work work);
/// Submits a copy that is not empty, between two contexts that the caller named. Neither device needs access to the other's
/// memory, and the copy cannot be captured.
driver::CUresult submit_between_contexts(const StreamCheck& stream, const CopyOperation& copy, TransferMode mode);

/// Allocates memory of a pool in the order of the stream's work, or captures an allocation. Writes the address.
driver::CUresult allocate(const StreamCheck& stream, const std::shared_ptr<Pool>& pool, std::size_t bytes,
                          driver::CUdeviceptr& address);
/// Frees memory in the order of the stream's work, or captures the free.
driver::CUresult free(const StreamCheck& stream, driver::CUdeviceptr address);

/// Submits a copy to the stream with this handle. Does nothing if the copy is empty.
driver::CUresult transfer(CopyOperation copy, driver::CUstream handle, TransferMode mode);
inline driver::CUresult transfer(const Place& to, const Place& from, const BoxExtent& extent, driver::CUstream handle,
                                 TransferMode mode) {
    return transfer({to, from, extent}, handle, mode);
}

}  // namespace CUBIND_NAMESPACE::sim

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstring>
#include <simulation/functions.hpp>
#include <span>
#include <thread>

#include "machine/check.hpp"
#include "platform/process.hpp"

/// Checkpoints of the calling process. Device memory lies in the memory of the process, so a checkpoint copies nothing. The state
/// of other processes is not known.
namespace CUBIND_NAMESPACE::sim {

namespace {

using Clock = std::chrono::steady_clock;

CUresult check_process(int pid) {
    if (pid == cubind::detail::process_id())
        return machine().initialized.load(std::memory_order_acquire) ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
    return cubind::detail::process_exists(pid) ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_OPERATING_SYSTEM;
}

CUresult change(int pid, CUprocessState from, CUprocessState to) {
    if (const CUresult status = check_process(pid)) return status;
    return machine().process_lock.change(from, to) ? CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_STATE;
}

bool is_idle() {
    const auto is_busy = [](const Context& context) { return !context.order.is_idle(); };
    return machine().contexts.find_if(is_busy) == nullptr;
}

// Returns whether the pairs name each device. A device keeps its memory, so that it can only replace itself.
bool contain_each_device(std::span<const CUcheckpointGpuPair> pairs) {
    const auto is_device = [](const auto& device, const CUcheckpointGpuPair& pair) {
        const CUuuid uuid = device->uuid();
        return std::memcmp(&uuid, &pair.oldUuid, sizeof uuid) == 0 && std::memcmp(&uuid, &pair.newUuid, sizeof uuid) == 0;
    };
    const auto& devices = machine().devices;
    const auto is_contained = [&](const auto& device) {
        return std::ranges::any_of(pairs, [&](const auto& pair) { return is_device(device, pair); });
    };
    const auto is_known = [&](const auto& pair) {
        return std::ranges::any_of(devices, [&](const auto& device) { return is_device(device, pair); });
    };
    return std::ranges::all_of(devices, is_contained) && std::ranges::all_of(pairs, is_known);
}

}  // namespace

extern "C" {

CUresult sim_cuCheckpointProcessGetState(int pid, CUprocessState* state) {
    if (const CUresult status = check_process(pid)) return status;
    return write_output(state, machine().process_lock.state());
}

CUresult sim_cuCheckpointProcessGetRestoreThreadId(int pid, int* tid) {
    if (const CUresult status = check_process(pid)) return status;
    return write_output(tid, pid);
}

// New calls wait while this call waits for the work.
CUresult sim_cuCheckpointProcessLock(int pid, CUcheckpointLockArgs* args) {
    if (const CUresult status = change(pid, CU_PROCESS_STATE_RUNNING, CU_PROCESS_STATE_LOCKED)) return status;
    const auto timeout = std::chrono::milliseconds(args != nullptr ? args->timeoutMs : 0);
    const Clock::time_point start = Clock::now();
    while (!is_idle()) {
        if (timeout.count() != 0 && Clock::now() - start >= timeout) {
            machine().process_lock.change(CU_PROCESS_STATE_LOCKED, CU_PROCESS_STATE_RUNNING);
            return CUDA_ERROR_NOT_READY;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    return CUDA_SUCCESS;
}

CUresult sim_cuCheckpointProcessCheckpoint(int pid, CUcheckpointCheckpointArgs*) {
    return change(pid, CU_PROCESS_STATE_LOCKED, CU_PROCESS_STATE_CHECKPOINTED);
}

CUresult sim_cuCheckpointProcessRestore(int pid, CUcheckpointRestoreArgs* args) {
    if (const CUresult status = check_process(pid)) return status;
    if (machine().process_lock.state() != CU_PROCESS_STATE_CHECKPOINTED) return CUDA_ERROR_ILLEGAL_STATE;
    const unsigned count = args != nullptr ? args->gpuPairsCount : 0;
    if (count != 0 && (args->gpuPairs == nullptr || !contain_each_device({args->gpuPairs, count})))
        return CUDA_ERROR_INVALID_VALUE;
    return change(pid, CU_PROCESS_STATE_CHECKPOINTED, CU_PROCESS_STATE_LOCKED);
}

CUresult sim_cuCheckpointProcessUnlock(int pid, CUcheckpointUnlockArgs*) {
    return change(pid, CU_PROCESS_STATE_LOCKED, CU_PROCESS_STATE_RUNNING);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>
#include <cubind/driver/types.hpp>

#include <chrono>
#include <string>
#include <vector>

/// @file
/// Checkpoints of processes. <cubind/core.hpp> does not include this header, because few files need it.
namespace CUBIND_NAMESPACE {

/// Moves the data of a device to another device of the same model: see Process::restore(). Both texts are UUIDs as
/// Device::uuid() returns them, or with the prefix "GPU-".
struct DeviceMapping {
    std::string from;  ///< UUID of a device of the process
    std::string to;    ///< UUID of the device that replaces it
};

/// A process whose use of its GPUs can be suspended, so that other processes have their memory, and continued later. The memory
/// of the GPUs is copied to memory of the host in the meantime. Tools that store whole processes, such as CRIU, call these
/// functions before and after.
///
///     Process process(pid);
///     process.lock(std::chrono::seconds(10));   // running -> locked
///     process.checkpoint();                     // locked -> checkpointed: the memory of the GPUs is free
///     process.restore();                        // checkpointed -> locked
///     process.unlock();                         // locked -> running
///
/// A process can also suspend itself. Requires Linux, a driver of CUDA 12.8, and the right to trace the process (ptrace). Each
/// function throws Error if there is no such process or it does not use CUDA, and if its state is another one than required;
/// the message contains the state. A value. Any thread may use it, and other processes may change the state at any time.
class CUBIND_EXPORT Process {
public:
    /// Refers to the process with this identification. Makes no driver call. Throws std::invalid_argument unless pid > 0.
    explicit Process(int pid);
    /// Refers to the calling process.
    [[nodiscard]] static Process current();

    /// Returns the identification of the process.
    [[nodiscard]] int pid() const noexcept { return pid_; }
    /// Returns CU_PROCESS_STATE_RUNNING, LOCKED, CHECKPOINTED or FAILED (cuCheckpointProcessGetState).
    [[nodiscard]] driver::CUprocessState state() const;
    /// Returns the number of the thread of the process that restores its state, for tools that restore single threads
    /// (cuCheckpointProcessGetRestoreThreadId).
    [[nodiscard]] int restore_thread_id() const;

    /// Waits until the submitted work of the running process has ended, and makes its further driver calls wait until unlock()
    /// (cuCheckpointProcessLock). Without end if the process runs an endless kernel.
    void lock() const;
    /// The same, but throws Error with CUDA_ERROR_NOT_READY if the work has not ended in time. The process then continues to
    /// run. Throws std::invalid_argument unless the timeout is from 1 to 4,294,967,295 ms.
    void lock(std::chrono::milliseconds timeout) const;
    /// Copies the memory of the locked process's GPUs to the host, and releases the GPUs (cuCheckpointProcessCheckpoint).
    void checkpoint() const;
    /// Gives the checkpointed process its GPUs and their memory again (cuCheckpointProcessRestore). It remains locked. If the
    /// memory is in use, throws OutOfMemory; the driver may then be unable to restore the process at all.
    void restore() const;
    /// The same on other GPUs. The mapping must contain every GPU that the process can see (CUDA_VISIBLE_DEVICES), also one that
    /// it has not used or that stays the same. Throws std::invalid_argument for a text that is no UUID, and Error for GPUs that
    /// cannot replace each other.
    void restore(const std::vector<DeviceMapping>& devices) const;
    /// Makes the locked process continue to run (cuCheckpointProcessUnlock).
    void unlock() const;

    /// Returns whether both have the same pid.
    [[nodiscard]] friend bool operator==(const Process&, const Process&) noexcept = default;

private:
    int pid_;
};

}  // namespace CUBIND_NAMESPACE

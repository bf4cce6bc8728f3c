// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/profile/recording.hpp>

#include <cstddef>

/// @file
/// Records what CUDA does in this process, with CUPTI, which is part of the toolkit (package nvidia-cuda-cupti).
namespace CUBIND_NAMESPACE::profile {

/// What a Recorder records, and how much.
struct RecorderOptions {
    bool kernels = true;             ///< executions of kernels, also of nodes of graphs
    bool copies = true;              ///< copies, also of nodes of graphs
    bool fills = true;               ///< fills, also of nodes of graphs
    bool memory_operations = false;  ///< allocations and releases of memory
    bool driver_calls = true;        ///< calls of the driver; they attribute kernels to ranges
    bool runtime_calls = true;       ///< calls of the runtime library; they attribute kernels to ranges
    bool synchronizations = false;   ///< waits
    bool ranges = true;              ///< ranges and marks of NVTX

    std::size_t buffer_size = std::size_t{1} << 20;  ///< bytes of a buffer that CUPTI fills; at least 4,096
    std::size_t max_buffers = 256;                   ///< buffers at a time, at least 2; without a free one CUPTI drops records
    std::size_t max_records = 20'000'000;            ///< records that are kept; about 100 bytes each
};

/// Numbers of a recorder that records, for a display of its progress.
struct RecorderProgress {
    std::size_t records = 0;  ///< records that were received, and not taken yet
    std::size_t kernels = 0;  ///< executions of kernels of them
    std::size_t dropped = 0;  ///< records that the recorder has dropped
};

/// Records activities of CUDA in this process during the lifetime of the object (CUPTI's activity interface). A process has one
/// recorder at a time, and CUPTI serves one tool at a time: within Nsight Systems or Nsight Compute, a recorder cannot start. Any
/// thread may call the functions, also after the thread that created the recorder has ended, but one thread at a time calls
/// take() and stop().
///
/// CUPTI delivers records in buffers on a thread of its own. Work that has not ended when take() or stop() is called is missing:
/// synchronize the streams before. Create the recorder before the first range of NVTX: a recorder with
/// RecorderOptions::ranges sets the environment variable NVTX_INJECTION64_PATH to CUPTI if it is not set, and both cubind and
/// NVIDIA's headers read it at the first range. Where ranges cannot be recorded, Recording::notes() says so.
///
/// CUPTI keeps the addresses of its functions, so that a plugin that has created one is never unloaded.
/// In a child of fork(), the recorder records nothing and calls nothing: stop() and take() return no records, and a new
/// recorder is refused.
///
///     Recorder recorder({.synchronizations = true});
///     launch(stream, config, kernel, x, y);
///     stream.synchronize();
///     const Recording recording = recorder.stop();
///     std::fputs(table(recording).c_str(), stdout);
class [[nodiscard]] CUBIND_EXPORT Recorder {
public:
    /// Starts recording (cuptiActivityRegisterCallbacks, cuptiActivityEnable). Throws std::invalid_argument for options out of
    /// range, without any activity, and if there is a recorder already; LoadError if CUPTI is missing; Error if another tool uses
    /// CUPTI, or if CUPTI does not know an activity. After an exception nothing is recorded.
    explicit Recorder(const RecorderOptions& options = {});
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;
    /// Stops recording, and drops the records. Failures are reported to the cleanup handler.
    ~Recorder();

    /// Returns whether the recorder records: stop() was not called.
    [[nodiscard]] bool is_recording() const noexcept { return is_recording_; }
    /// Makes CUPTI deliver what it has recorded (cuptiActivityFlushAll). Throws Error, and std::invalid_argument after stop().
    void flush();
    /// Returns the progress. Costs a lock.
    [[nodiscard]] RecorderProgress progress() const noexcept;
    /// Returns what was recorded since the start or the last take(), and continues to record. Only completed work is delivered.
    /// The records are in no order; Recording(records) sorts and correlates them, and Recording::merge() combines parts. A range
    /// is in the part in which it ends. Throws as flush() does.
    [[nodiscard]] Records take();
    /// Stops recording, and returns what was recorded since the start or the last take() (cuptiActivityFlushAll,
    /// cuptiActivityDisable, cuptiActivityGetNumDroppedRecords). Throws std::invalid_argument if the recorder has stopped before,
    /// and Error if CUPTI fails; the recorder has stopped then, too.
    [[nodiscard]] Recording stop();

private:
    bool is_recording_ = false;
    RecorderOptions options_;
};

}  // namespace CUBIND_NAMESPACE::profile

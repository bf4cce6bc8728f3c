// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/profile/recorder.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "spool.hpp"

namespace cubind::prof {

/// The recording of this process. A thread writes the records to the folder every 50 ms, so that a process that is killed loses
/// little. It is never destroyed.
class Session {
public:
    /// Starts recording. Why that is impossible becomes a note in the file. Throws std::system_error if there can be no file.
    Session(const std::string& folder, const profile::RecorderOptions& options);

    /// Writes the last records at the exit of the process. Does nothing in a child of fork(), which has no thread.
    void finish() noexcept;

private:
    void run() noexcept;
    void write(const profile::Records& records) noexcept;
    void note(const std::string& text) noexcept;

    const int process_;
    std::mutex mutex_;  ///< one thread at a time takes records
    SpoolWriter spool_;
    std::unique_ptr<profile::Recorder> recorder_;
    std::atomic<bool> is_ending_{false};
    std::thread thread_;
};

}  // namespace cubind::prof

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace cubind::gen::commands {

/// A progress line on standard error. It appears after one second and is erased at the end. Nothing is printed if standard
/// error is not a terminal. Thread-safe.
class Progress {
public:
    explicit Progress(std::size_t steps);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void start(const std::string& step);
    void finish_one();

private:
    void show(std::unique_lock<std::mutex>& lock);

    std::size_t steps_;
    std::size_t done_ = 0;
    std::string current_;
    bool stopping_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::thread painter_;
};

}  // namespace cubind::gen::commands

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/progress.hpp"

#include <iostream>

#include "system.hpp"

namespace cubind::gen::commands {

Progress::Progress(std::size_t steps) : steps_(steps) {
    if (!has_terminal()) return;
    painter_ = std::thread([this] {
        std::unique_lock lock(mutex_);
        show(lock);
    });
}

Progress::~Progress() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    if (painter_.joinable()) painter_.join();
}

void Progress::start(const std::string& step) {
    const std::lock_guard lock(mutex_);
    current_ = step;
    changed_.notify_all();
}

void Progress::finish_one() {
    const std::lock_guard lock(mutex_);
    ++done_;
    changed_.notify_all();
}

void Progress::show(std::unique_lock<std::mutex>& lock) {
    if (changed_.wait_for(lock, std::chrono::seconds(1), [this] { return stopping_; })) return;
    const std::string erase_line = "\r\x1b[K";
    while (!stopping_) {
        std::cerr << erase_line << "[" << done_ << "/" << steps_ << "] " << current_ << std::flush;
        changed_.wait(lock);
    }
    std::cerr << erase_line << std::flush;
}

}  // namespace cubind::gen::commands

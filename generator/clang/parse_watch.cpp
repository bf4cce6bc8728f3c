// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "clang/parse_watch.hpp"

#include <chrono>
#include <cstdlib>
#include <iostream>

#include "system.hpp"

namespace cubind::gen::clang {
namespace {

ParseLimits process_limits;

[[noreturn]] void end_process(const std::string& name, const std::string& limit, const std::string& option) {
    std::cerr << "cubind-gen: " << name << ": libclang needs more than " << limit
              << " to read these headers. Does a macro expand without limit, or does a header include a device or a pipe? If the "
                 "headers are right, raise "
              << option << "\n";
    std::_Exit(1);
}

}  // namespace

void set_parse_limits(const ParseLimits& limits) {
    process_limits = limits;
}

ParseWatch::ParseWatch(const std::string& name) : thread_([this, name] { watch(name); }) {}

ParseWatch::~ParseWatch() {
    {
        const std::lock_guard lock(mutex_);
        has_ended_ = true;
    }
    ended_.notify_one();
    thread_.join();
}

void ParseWatch::watch(const std::string& name) {
    const ParseLimits limits = process_limits;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(limits.seconds);
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, std::chrono::milliseconds(50), [this] { return has_ended_; })) {
        if (std::chrono::steady_clock::now() >= end) {
            end_process(name, std::to_string(limits.seconds) + " seconds", "--parse-seconds");
        }
        if (memory_in_use() > limits.gibibytes) {
            end_process(name, std::to_string(limits.gibibytes) + " GiB of memory", "--parse-gibibytes");
        }
    }
}

}  // namespace cubind::gen::clang

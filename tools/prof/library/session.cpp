// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "library/session.hpp"

#include <exception>
#include <utility>

#include "library/dying_signals.hpp"
#include "platform/process.hpp"
#include "platform/thread_signals.hpp"

namespace cubind::prof {

namespace {

constexpr unsigned period_milliseconds = 50;

std::string name_of_program() {
    std::string path;
    if (cubind::detail::find_program_file(path) != 0) return "program";
    return path.substr(path.rfind('/') + 1);
}

}  // namespace

Session::Session(const std::string& folder, const profile::RecorderOptions& options)
    : process_(cubind::detail::process_id()), spool_(folder, static_cast<std::uint32_t>(process_), name_of_program()) {
    try {
        recorder_ = std::make_unique<profile::Recorder>(options);
        install_dying_signals();
        const cubind::detail::ThreadSignalBlock signals;
        thread_ = std::thread([this] { run(); });
    } catch (const std::exception& error) {
        note(std::string("Nothing was recorded: ") + error.what());
    }
}

// CUPTI may fail while the driver is being initialized, which the first periods are a part of.
void Session::run() noexcept {
    constexpr unsigned max_failures = 20;
    for (unsigned failures = 0; !is_ending_;) {
        const bool is_dying = wait_for_signal(period_milliseconds);
        if (is_ending_) return;
        const std::lock_guard lock(mutex_);
        try {
            if (recorder_->is_recording()) write(recorder_->take());
            failures = 0;
        } catch (const std::exception& error) {
            if (++failures == max_failures) note(error.what());
        }
        if (!is_dying) continue;
        spool_.complete();
        return records_are_written();
    }
}

void Session::write(const profile::Records& records) noexcept {
    if (records.size() == 0 && records.notes.empty() && records.dropped.total() == 0) return;
    try {
        spool_.append(records);
    } catch (const std::exception&) {  // no memory for the part
    }
}

void Session::note(const std::string& text) noexcept {
    try {
        profile::Records records;
        records.start = records.end = std::chrono::steady_clock::now();
        records.notes.push_back(text);
        spool_.append(records);
    } catch (const std::exception&) {  // no memory
    }
}

void Session::finish() noexcept {
    if (cubind::detail::process_id() != process_ || is_ending_.exchange(true)) return;
    wake_writer();
    if (thread_.joinable()) thread_.join();
    const std::lock_guard lock(mutex_);
    try {
        if (recorder_ != nullptr && recorder_->is_recording()) {
            write(recorder_->take());  // also if stop() fails
            write(recorder_->stop().release());
        }
    } catch (const std::exception& error) {
        note(error.what());
    }
    spool_.complete();
}

}  // namespace cubind::prof

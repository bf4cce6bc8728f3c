// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/driver_log.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>

#include "platform/fork_hook.hpp"
#include "platform/thread_numbers.hpp"
#include "shared/escaped.hpp"
#include "support/registry.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

constinit thread_local bool has_written = false;
constinit thread_local bool is_in_callback = false;

constinit cubind::detail::StaticForkHook fork_hook;

constexpr std::size_t max_text = 4096;
constexpr std::string_view overwritten_notice = "Older messages of the log were overwritten.\n";
constexpr std::string_view short_notice = "The buffer is too small for older messages of the log.\n";

// Computes the time of day itself, because the functions of the C library take a lock that a child of fork() may never get.
std::string beginning_of_line(CUlogLevel level) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    const long second = now.tv_sec % 86400;
    char text[80];
    std::snprintf(text, sizeof text, "[%02ld:%02ld:%02ld.%03ld][%lu][CUDA][%c] ", second / 3600, second / 60 % 60, second % 60,
                  now.tv_nsec / 1000000, cubind::detail::this_thread_numbers().handle, level == CU_LOG_LEVEL_ERROR ? 'E' : 'W');
    return text;
}

}  // namespace

DriverLog& DriverLog::of_process() noexcept {
    alignas(DriverLog) static unsigned char memory[sizeof(DriverLog)];
    static DriverLog& log = *new (memory) DriverLog;  // never destroyed, because other threads may write at exit
    return log;
}

DriverLog::DriverLog() {
    // Another thread may have been in a callback. What the mutex guards does not change without the other one, too.
    const auto renew = [](void* log) noexcept { new (&static_cast<DriverLog*>(log)->callback_mutex_) std::recursive_mutex; };
    fork_hook.add(cubind::detail::ForkLevel::driver, &mutex_, this, renew);
}

void DriverLog::append(std::string line) {
    line += '\n';
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
    bytes_ += lines_.back().size();
    ++end_;
    while (lines_.size() > max_messages || bytes_ > max_bytes) {
        bytes_ -= lines_.front().size();
        lines_.erase(lines_.begin());
    }
}

void DriverLog::write(CUlogLevel level, std::string_view text) noexcept {
    has_written = true;
    try {
        std::string message = escaped(text.substr(0, max_text));
        append(beginning_of_line(level) + message);
        if (is_in_callback) return;
        const std::lock_guard lock(callback_mutex_);
        const std::vector<Callback> callbacks = callbacks_;  // a function may remove one
        is_in_callback = true;
        for (const Callback& each : callbacks) each.function(each.user_data, level, message.data(), message.size());
        is_in_callback = false;
    } catch (const std::bad_alloc&) {  // the status still tells the program that the call failed
    }
}

bool DriverLog::take_has_written() noexcept {
    return std::exchange(has_written, false);
}

CUlogIterator DriverLog::end() const {
    const std::lock_guard lock(mutex_);
    return end_;
}

bool DriverLog::is_valid(const CUlogIterator* position) const {
    return position == nullptr || *position <= end();
}

std::size_t DriverLog::count_after(const CUlogIterator* position, bool& overwritten) const {
    const CUlogIterator all = end_ - begin_;
    const CUlogIterator wanted = position != nullptr ? std::min(end_ - *position, all) : all;
    overwritten = wanted > lines_.size();
    return std::min<std::size_t>(wanted, lines_.size());
}

std::string DriverLog::messages(CUlogIterator* position) const {
    const std::lock_guard lock(mutex_);
    bool overwritten = false;
    const std::size_t count = count_after(position, overwritten);
    std::string text(overwritten ? overwritten_notice : std::string_view());
    for (auto line = lines_.end() - static_cast<std::ptrdiff_t>(count); line != lines_.end(); ++line) text += *line;
    if (position != nullptr) *position = end_;
    return text;
}

CUresult DriverLog::write_messages(CUlogIterator* position, char* buffer, std::size_t* size) const {
    const std::size_t room = *size;
    *size = 0;
    if (room == 0) return CUDA_ERROR_INVALID_VALUE;
    CUlogIterator end = position != nullptr ? *position : 0;
    std::string text = messages(position != nullptr ? &end : nullptr);
    if (text.size() >= room) {
        // Keeps the lines of the end that fit after the notice.
        const std::size_t limit = room - 1 - std::min(room - 1, short_notice.size());
        std::size_t begin = text.size() - std::min(text.size(), limit);
        begin = begin == 0 ? 0 : text.find('\n', begin - 1) + 1;
        if (begin == text.size()) {
            buffer[0] = '\0';
            return CUDA_ERROR_INVALID_VALUE;
        }
        text = std::string(short_notice).append(text, begin);
    }
    if (text.empty()) return CUDA_SUCCESS;  // a GPU's driver leaves the buffer unchanged
    std::memcpy(buffer, text.c_str(), text.size() + 1);
    *size = text.size();
    if (position != nullptr) *position = end;
    return CUDA_SUCCESS;
}

CUlogsCallbackHandle DriverLog::add(CUlogsCallback function, void* user_data) {
    const std::scoped_lock lock(callback_mutex_, mutex_);
    callbacks_.push_back({new_handle<CUlogsCallbackHandle>(), function, user_data});
    return callbacks_.back().handle;
}

bool DriverLog::remove(CUlogsCallbackHandle handle) {
    const std::scoped_lock lock(callback_mutex_, mutex_);
    return std::erase_if(callbacks_, [&](const Callback& each) { return each.handle == handle; }) != 0;
}

void DriverLog::clear() {
    const std::scoped_lock lock(callback_mutex_, mutex_);
    callbacks_.clear();
    lines_.clear();
    bytes_ = 0;
    begin_ = end_;
}

}  // namespace CUBIND_NAMESPACE::sim

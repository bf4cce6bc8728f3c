// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/whole_transfer.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>

namespace cubind::detail {
namespace {

/// A write beyond the limit of a file's size raises SIGXFSZ, which ends the process. While this lives, it waits instead, and what
/// came is taken away at the end.
class NoSizeSignal {
public:
    NoSizeSignal() noexcept {
        sigemptyset(&signal_);
        sigaddset(&signal_, SIGXFSZ);
        pthread_sigmask(SIG_BLOCK, &signal_, &before_);
    }
    NoSizeSignal(const NoSizeSignal&) = delete;
    NoSizeSignal& operator=(const NoSizeSignal&) = delete;
    ~NoSizeSignal() {
        const timespec no_time{};
        if (was_raised_) sigtimedwait(&signal_, nullptr, &no_time);
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

    void was_raised() noexcept { was_raised_ = true; }

private:
    sigset_t signal_;
    sigset_t before_;
    bool was_raised_ = false;
};

}  // namespace

Transfer read_whole(int file, void* data, std::size_t size) noexcept {
    for (auto* place = static_cast<std::byte*>(data); size != 0;) {
        const ssize_t count = ::read(file, place, size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return {errno, false};
        if (count == 0) return {0, false};
        place += count;
        size -= static_cast<std::size_t>(count);
    }
    return {0, true};
}

int write_whole(int file, const void* data, std::size_t size) noexcept {
    NoSizeSignal no_signal;
    for (auto* place = static_cast<const std::byte*>(data); size != 0;) {
        const ssize_t count = ::write(file, place, size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            const int error = errno;
            if (error == EFBIG) no_signal.was_raised();
            return error;
        }
        place += count;
        size -= static_cast<std::size_t>(count);
    }
    return 0;
}

}  // namespace cubind::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/descriptor.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>

namespace CUBIND_NAMESPACE::detail {
namespace {

/// Blocks SIGXFSZ, which a write beyond the limit of the file size raises and which would end the process. The
/// destructor consumes a pending signal.
class FileSizeSignalBlock {
public:
    FileSizeSignalBlock() noexcept {
        sigemptyset(&signal_);
        sigaddset(&signal_, SIGXFSZ);
        pthread_sigmask(SIG_BLOCK, &signal_, &before_);
    }
    FileSizeSignalBlock(const FileSizeSignalBlock&) = delete;
    FileSizeSignalBlock& operator=(const FileSizeSignalBlock&) = delete;
    ~FileSizeSignalBlock() {
        const timespec no_time{};
        if (was_raised_) sigtimedwait(&signal_, nullptr, &no_time);
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

    void set_raised() noexcept { was_raised_ = true; }

private:
    sigset_t signal_;
    sigset_t before_;
    bool was_raised_ = false;
};

}  // namespace

ReadResult read_all(int file, void* data, std::size_t size) noexcept {
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

int write_all(int file, const void* data, std::size_t size) noexcept {
    FileSizeSignalBlock block;
    for (auto* place = static_cast<const std::byte*>(data); size != 0;) {
        const ssize_t count = ::write(file, place, size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            const int error = errno;
            if (error == EFBIG) block.set_raised();
            return error;
        }
        place += count;
        size -= static_cast<std::size_t>(count);
    }
    return 0;
}

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/descriptor.hpp"

#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "platform/write_signals.hpp"

namespace CUBIND_NAMESPACE::detail {

void close_descriptor(int number) noexcept {
    ::close(number);
}

Descriptor beside_streams(int number) noexcept {
    if (number < 0 || number > standard_error) return Descriptor(number);
    const int copy = ::fcntl(number, F_DUPFD_CLOEXEC, standard_error + 1);
    const int error = errno;
    ::close(number);
    errno = error;
    return Descriptor(copy);
}

ReadResult read_all(int file, void* data, std::size_t size) noexcept {
    std::size_t bytes = 0;
    while (bytes < size) {
        const ssize_t count = ::read(file, static_cast<std::byte*>(data) + bytes, size - bytes);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return {errno, bytes};
        if (count == 0) break;
        bytes += static_cast<std::size_t>(count);
    }
    return {0, bytes};
}

Written write_all(int file, const void* data, std::size_t size) noexcept {
    const int previous_errno = errno;
    Written result;
    {
        WithoutWriteSignals signals;
        while (result.bytes < size && result.error == 0) {
            const ssize_t written = ::write(file, static_cast<const std::byte*>(data) + result.bytes, size - result.bytes);
            if (written >= 0) {
                result.bytes += static_cast<std::size_t>(written);
            } else if (errno == EAGAIN) {
                pollfd ready{.fd = file, .events = POLLOUT, .revents = 0};
                if (::poll(&ready, 1, -1) < 0 && errno != EINTR) result.error = EAGAIN;
            } else if (errno != EINTR) {
                result.error = errno;
                signals.has_failed = true;
            }
        }
    }
    errno = previous_errno;
    return result;
}

}  // namespace CUBIND_NAMESPACE::detail

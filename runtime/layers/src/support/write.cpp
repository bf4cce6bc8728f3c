// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/write.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "platform/write_signals.hpp"

namespace CUBIND_NAMESPACE::layers {

Written write_text(int file, std::string_view text) noexcept {
    const int previous_errno = errno;
    Written result;
    {
        detail::WithoutWriteSignals signals;
        while (result.bytes < text.size() && result.error == 0) {
            const ssize_t written = ::write(file, text.data() + result.bytes, text.size() - result.bytes);
            if (written >= 0) {
                result.bytes += static_cast<std::size_t>(written);
            } else if (errno == EAGAIN) {
                pollfd ready{.fd = file, .events = POLLOUT, .revents = 0};
                if (poll(&ready, 1, -1) < 0 && errno != EINTR) result.error = EAGAIN;
            } else if (errno != EINTR) {
                result.error = errno;
                signals.has_failed = true;
            }
        }
    }
    errno = previous_errno;
    return result;
}

int open_to_append(const char* path) noexcept {
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
}

std::string open_problem(int error) {
    return error == ENXIO ? "no process reads it; start the reader first" : std::strerror(error);
}

void print_error(std::string_view text) noexcept {
    write_text(STDERR_FILENO, text);
}

}  // namespace CUBIND_NAMESPACE::layers

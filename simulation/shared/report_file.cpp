// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "shared/report_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/environment.hpp"
#include "platform/write_signals.hpp"
#include "shared/escaped.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// The process that has loaded the library.
const pid_t loading_process = getpid();

// Appends the text to a regular file, which is created if it does not exist. Returns errno, or 0. Does not wait for a reader of a
// FIFO.
int append(const char* path, const std::string& text) noexcept {
    const int file = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0644);
    if (file < 0) return errno;
    struct stat status {};
    int error = ::fstat(file, &status) != 0 ? errno : S_ISREG(status.st_mode) ? 0 : EINVAL;
    if (error == 0) {
        cubind::detail::WithoutWriteSignals signals;
        const ssize_t written = ::write(file, text.data(), text.size());
        signals.has_failed = written < 0;
        error = written < 0 ? errno : static_cast<std::size_t>(written) != text.size() ? ENOSPC : 0;
    }
    ::close(file);
    return error;
}

}  // namespace

void append_report(const char* variable, const char* contents, const std::string& lines) noexcept {
    const char* const path = cubind::detail::environment_variable(variable);
    if (path == nullptr || *path == '\0' || lines.empty() || getpid() != loading_process) return;
    const int error = append(path, lines);
    if (error == 0) return;
    try {
        const std::string name = escaped(path);
        cubind::detail::WithoutWriteSignals signals;
        signals.has_failed = std::fprintf(stderr, "cubind: %s: cannot write %s to %s: %s\n", variable, contents, name.c_str(),
                                          std::strerror(error)) < 0;
    } catch (const std::bad_alloc&) {  // no memory for the message
    }
}

}  // namespace CUBIND_NAMESPACE::sim

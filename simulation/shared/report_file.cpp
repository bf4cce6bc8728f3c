// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "shared/report_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>

#include "platform/environment.hpp"
#include "platform/file.hpp"
#include "platform/process.hpp"
#include "platform/write_signals.hpp"
#include "shared/escaped.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// The process that has loaded the library.
const int loading_process = cubind::detail::process_id();

// Appends the text to a regular file, which is created if it does not exist. Returns errno, or 0. Does not wait for a reader of a
// FIFO.
int append(const char* path, const std::string& text) noexcept {
    const cubind::detail::Descriptor file = cubind::detail::open_to_append(path, 0644);
    if (!file) return errno;
    cubind::detail::FileStatus status;
    if (const int error = cubind::detail::status_of_file(file.number(), status)) return error;
    if (status.kind != cubind::detail::FileKind::regular) return EINVAL;
    return cubind::detail::write_all(file.number(), text.data(), text.size()).error;
}

}  // namespace

void append_report(const char* variable, const char* contents, const std::string& lines) noexcept {
    const char* const path = cubind::detail::environment_variable(variable);
    if (path == nullptr || *path == '\0' || lines.empty() || cubind::detail::process_id() != loading_process) return;
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

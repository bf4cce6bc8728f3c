// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/process.hpp"

#include <cerrno>
#include <csignal>
#include <limits.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/descriptor.hpp"

namespace CUBIND_NAMESPACE::detail {

int process_id() noexcept {
    return ::getpid();
}

bool process_exists(int process) noexcept {
    return process > 0 && (::kill(process, 0) == 0 || errno != ESRCH);
}

bool is_process_running(int process) noexcept {
    const Descriptor opened(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
    if (!opened) return errno != ESRCH;
    pollfd ended{opened.number(), POLLIN, 0};
    return ::poll(&ended, 1, 0) <= 0;
}

int execute_program(const char* path, char* const* arguments) noexcept {
    ::execv(path, arguments);
    return errno;
}

std::string host_name() {
    char name[HOST_NAME_MAX + 1] = {};
    (void)::gethostname(name, sizeof name - 1);
    return name;
}

unsigned processor_count() noexcept {
    const long count = ::sysconf(_SC_NPROCESSORS_CONF);
    return count > 0 ? static_cast<unsigned>(count) : 1;
}

std::size_t physical_memory_size() noexcept {
    return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace CUBIND_NAMESPACE::detail

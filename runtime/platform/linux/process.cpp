// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <limits.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/descriptor.hpp"
#include "platform/file.hpp"
#include "platform/pages.hpp"

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

int find_program_file(std::string& path) {
    path.resize(PATH_MAX);
    const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
    const int error = size < 0 ? errno : 0;
    path.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return error;
}

bool find_program_name(unsigned int process, std::string& name) {
    const Descriptor arguments = open_to_read(("/proc/" + std::to_string(process) + "/cmdline").c_str());
    if (!arguments) return false;
    name.clear();
    for (char block[256];;) {
        const ReadResult got = read_all(arguments.number(), block, sizeof block);
        name.append(block, got.bytes);
        const std::size_t end = name.find('\0');
        if (end == std::string::npos && got.bytes == sizeof block) continue;
        const bool has_arguments = got.error == 0 && !name.empty();
        name.resize(std::min(end, name.size()));
        return has_arguments;
    }
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
    return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * page_size();
}

}  // namespace CUBIND_NAMESPACE::detail

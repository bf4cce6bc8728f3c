// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/readable_page.hpp"

#include <cerrno>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/pages.hpp"

namespace CUBIND_NAMESPACE::detail {

// The kernel reads a signal set before it rejects the operation, so the call changes nothing and fails with EFAULT if the
// process cannot read the memory. Unlike process_vm_readv, no sandbox forbids it, and it takes a twentieth of the time.
bool is_readable_page(std::uintptr_t address) noexcept {
    constexpr int no_operation = -1;
    constexpr std::size_t set_bytes = 8;
    const int previous = errno;
    const long status = ::syscall(SYS_rt_sigprocmask, no_operation, address / set_bytes * set_bytes, nullptr, set_bytes);
    const bool can_read = status == 0 || errno != EFAULT;
    errno = previous;
    return can_read;
}

std::size_t readable_bytes(std::uintptr_t address, std::size_t size) noexcept {
    std::size_t readable = 0;
    while (readable < size && address + readable >= address && is_readable_page(address + readable)) {
        const std::size_t rest_of_page = min_page_size - (address + readable) % min_page_size;
        readable += size - readable < rest_of_page ? size - readable : rest_of_page;
    }
    return readable;
}

}  // namespace CUBIND_NAMESPACE::detail

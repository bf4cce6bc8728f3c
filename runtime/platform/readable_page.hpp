// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace CUBIND_NAMESPACE::detail {

/// The smallest size of a page.
inline constexpr uintptr_t min_page_size = 4096;

/// Checks whether the process can read the memory at an address and in the rest of its page.
///
/// The kernel reads a signal set before it rejects the operation, so the call changes nothing and fails with EFAULT if the
/// process cannot read the memory. Unlike process_vm_readv, no sandbox forbids it, and it takes a twentieth of the time.
inline bool is_readable_page(uintptr_t address) noexcept {
    constexpr int no_operation = -1;
    constexpr size_t set_bytes = 8;
    const int previous = errno;
    const long status = syscall(SYS_rt_sigprocmask, no_operation, address / set_bytes * set_bytes, nullptr, set_bytes);
    const bool can_read = status == 0 || errno != EFAULT;
    errno = previous;
    return can_read;
}

/// Returns how many bytes from an address on the process can read, up to `size`. Takes about 0.2 us for each page.
inline size_t readable_bytes(uintptr_t address, size_t size) noexcept {
    size_t readable = 0;
    while (readable < size && address + readable >= address && is_readable_page(address + readable)) {
        const size_t rest_of_page = min_page_size - (address + readable) % min_page_size;
        readable += size - readable < rest_of_page ? size - readable : rest_of_page;
    }
    return readable;
}

}  // namespace CUBIND_NAMESPACE::detail

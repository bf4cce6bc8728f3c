// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/memory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace CUBIND_NAMESPACE::layers {

namespace {

// The smallest size of a page.
constexpr std::uintptr_t page = 4096;

// The stack of a thread.
struct Stack {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
};

Stack stack_of_this_thread() noexcept {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
    void* begin = nullptr;
    std::size_t size = 0;
    const int status = pthread_attr_getstack(&attributes, &begin, &size);
    pthread_attr_destroy(&attributes);
    if (status != 0) return {};
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    return {address, address + size};
}

// Returns whether the bytes belong to callers of this function, whose part of the stack is always mapped.
bool is_on_stack(std::uintptr_t address, std::size_t size) noexcept {
    thread_local const Stack stack = stack_of_this_thread();
    const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    const bool is_known = stack.begin <= frame && frame < stack.end;  // false on a stack that the program switched to
    return is_known && frame <= address && address < stack.end && size <= stack.end - address;
}

// The kernel reads a signal set before it rejects the operation, so the call changes nothing and fails with EFAULT if the process
// cannot read the memory. Unlike process_vm_readv, no sandbox forbids it, and it takes a twentieth of the time.
bool is_readable_page(std::uintptr_t address) noexcept {
    constexpr int no_operation = -1;
    constexpr std::size_t set_bytes = 8;
    const int previous = errno;
    const long status = syscall(SYS_rt_sigprocmask, no_operation, address / set_bytes * set_bytes, nullptr, set_bytes);
    const bool can_read = status == 0 || errno != EFAULT;
    errno = previous;
    return can_read;
}

}  // namespace

std::size_t readable_bytes(const void* address, std::size_t size) noexcept {
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    if (is_on_stack(begin, size)) return size;
    std::size_t readable = 0;
    while (readable < size && begin + readable >= begin && is_readable_page(begin + readable)) {
        readable += std::min<std::size_t>(size - readable, page - (begin + readable) % page);
    }
    return readable;
}

}  // namespace CUBIND_NAMESPACE::layers

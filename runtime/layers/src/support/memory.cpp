// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/memory.hpp"

#include <cstdint>
#include <pthread.h>

#include "platform/readable_page.hpp"

namespace CUBIND_NAMESPACE::layers {

namespace {

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

}  // namespace

std::size_t readable_bytes(const void* address, std::size_t size) noexcept {
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    if (is_on_stack(begin, size)) return size;
    return cubind::detail::readable_bytes(begin, size);
}

}  // namespace CUBIND_NAMESPACE::layers

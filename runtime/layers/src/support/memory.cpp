// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/memory.hpp"

#include <cstdint>

#include "platform/readable_page.hpp"
#include "platform/thread_stack.hpp"

namespace CUBIND_NAMESPACE::layers {

namespace {

// Returns whether the bytes belong to callers of this function, whose part of the stack is always mapped.
bool is_on_stack(std::uintptr_t address, std::size_t size) noexcept {
    thread_local const cubind::detail::ThreadStack stack = cubind::detail::stack_of_this_thread();
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

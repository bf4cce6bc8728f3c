// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/thread_stack.hpp"

#include <cstddef>
#include <pthread.h>

namespace CUBIND_NAMESPACE::detail {

ThreadStack stack_of_this_thread() noexcept {
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

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "at_exit.hpp"

#include <cstdlib>
#include <new>

#include "platform/dynamic_library.hpp"

namespace CUBIND_NAMESPACE::detail::meeting {

void call_at_exit(void (*function)(int status)) {
    keep_library_of(reinterpret_cast<const void*>(function));
    const auto call = [](int status, void* called) { reinterpret_cast<void (*)(int)>(called)(status); };
    if (::on_exit(call, reinterpret_cast<void*>(function)) != 0) throw std::bad_alloc();
}

}  // namespace CUBIND_NAMESPACE::detail::meeting

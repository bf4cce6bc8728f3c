// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "calls/availability.hpp"

#include <new>

namespace CUBIND_NAMESPACE::detail {

// A lookup stores why the function is missing, unless the lookup itself has failed.
bool is_available(EntryPoint& entry) {
    if (has(entry)) return true;
    if (__atomic_load_n(&entry.missing, __ATOMIC_ACQUIRE) == nullptr) throw std::bad_alloc();
    return false;
}

}  // namespace CUBIND_NAMESPACE::detail

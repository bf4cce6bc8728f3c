// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/omissions.hpp"

#include <cstdio>

#include "support/write.hpp"

namespace CUBIND_NAMESPACE::layers {

void Omissions::add() noexcept {
    if (count_.fetch_add(1, std::memory_order_relaxed) > 0) return;
    char text[256];
    std::snprintf(text, sizeof text, "cubind: %s: memory is exhausted; from here on, calls may be %s\n", layer_, consequence_);
    print_error(text);
}

void Omissions::end() noexcept {
    const unsigned long count = count_.exchange(0, std::memory_order_relaxed);
    if (count == 0) return;
    char text[256];
    std::snprintf(text, sizeof text, "cubind: %s: calls in which memory was exhausted: %lu; they are %s\n", layer_, count,
                  consequence_);
    print_error(text);
}

}  // namespace CUBIND_NAMESPACE::layers

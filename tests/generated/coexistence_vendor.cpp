// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Expands the names with the vendor's headers alone. CMake defines VENDOR_HEADERS and NAMES (files to include) and
// VENDOR_FUNCTION.
#include VENDOR_HEADERS

#include "coexistence.hpp"

#define TEXT_OF_EXPANDED(text) #text
#define TEXT_OF(name) TEXT_OF_EXPANDED(name)

namespace cubind::testing {

Meanings VENDOR_FUNCTION() {
    Meanings found;
#define NAME(name) found.push_back({#name, TEXT_OF(name)});
#include NAMES
#undef NAME
    return found;
}

}  // namespace cubind::testing

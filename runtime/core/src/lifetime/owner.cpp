// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/lifetime/detail/owner.hpp>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail {

void throw_moved_from(const char* class_name) {
    throw_misuse("this ", class_name, " was moved from, closed or released, or never had a handle: create a new one");
}

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/misuse.hpp"

#include <cubind/core/detail/owner.hpp>

#include <stdexcept>

namespace CUBIND_NAMESPACE::detail {

void throw_misuse(std::string_view text) {
    throw std::invalid_argument(std::string(text));
}

void throw_moved_from(const char* class_name) {
    throw_misuse("this ", class_name, " was moved from, closed or released, or never had a handle: create a new one");
}

}  // namespace CUBIND_NAMESPACE::detail

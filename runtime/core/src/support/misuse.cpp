// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/misuse.hpp"

#include <cubind/core/detail/owner.hpp>

#include <stdexcept>

namespace cubind::detail {

void throw_misuse(std::string_view text) {
    throw std::invalid_argument(std::string(text));
}

void throw_moved_from(const char* what) {
    throw_misuse("this ", what, " was moved from, closed or released: it stands for nothing any more, so make a new one");
}

}  // namespace cubind::detail

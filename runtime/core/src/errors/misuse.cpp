// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "errors/misuse.hpp"

#include <stdexcept>

namespace CUBIND_NAMESPACE::detail {

void throw_misuse(std::string_view text) {
    throw std::invalid_argument(std::string(text));
}

void check_no_nul(std::string_view what, std::string_view text) {
    const std::size_t nul = text.find('\0');
    if (nul == std::string_view::npos) return;
    throw_misuse(what, " has a NUL at byte ", nul, " of ", text.size(), ": only what precedes it would be read");
}

}  // namespace CUBIND_NAMESPACE::detail

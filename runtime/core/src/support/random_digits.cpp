// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/random_digits.hpp"

#include <array>
#include <cerrno>
#include <sys/random.h>
#include <system_error>

#include "support/hash.hpp"

namespace CUBIND_NAMESPACE::detail {

std::string random_digits() {
    std::array<std::byte, random_digit_count / 2> bytes;
    if (::getentropy(bytes.data(), bytes.size()) != 0) {
        throw std::system_error(errno, std::generic_category(), "cannot create the name of a temporary file");
    }
    return hexadecimal(bytes);
}

}  // namespace CUBIND_NAMESPACE::detail

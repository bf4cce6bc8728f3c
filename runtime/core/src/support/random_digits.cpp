// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/random_digits.hpp"

#include <cerrno>
#include <sys/random.h>
#include <system_error>

namespace CUBIND_NAMESPACE::detail {

std::string random_digits() {
    unsigned char bytes[random_digit_count / 2];
    if (::getentropy(bytes, sizeof bytes) != 0) {
        throw std::system_error(errno, std::generic_category(), "cannot create the name of a temporary file");
    }
    std::string digits;
    for (const unsigned char byte : bytes) {
        for (const unsigned digit : {byte >> 4, byte & 15}) digits.push_back("0123456789abcdef"[digit]);
    }
    return digits;
}

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/digest.hpp"

#include <sodium.h>

#include <array>

namespace cubind::gen::emit {

std::string digest_of(const std::string& text) {
    std::array<unsigned char, crypto_generichash_BYTES> hash{};
    crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(text.data()), text.size(), nullptr, 0);
    std::array<char, 17> digits{};
    return sodium_bin2hex(digits.data(), digits.size(), hash.data(), 8);
}

}  // namespace cubind::gen::emit

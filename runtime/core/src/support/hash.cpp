// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/hash.hpp"

namespace CUBIND_NAMESPACE::detail {

std::string hexadecimal(std::span<const std::byte> bytes) {
    std::string digits(2 * bytes.size() + 1, '\0');
    sodium_bin2hex(digits.data(), digits.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    digits.pop_back();  // the NUL
    return digits;
}

// The functions of this hash fail only for sizes of hash and key that they do not support. They need no sodium_init(), which
// would open the system's source of random numbers.

RunningHash::RunningHash() noexcept {
    crypto_generichash_init(&state_, nullptr, 0, sizeof(Hash));
}

void RunningHash::add(const void* data, std::size_t size) noexcept {
    crypto_generichash_update(&state_, static_cast<const unsigned char*>(data), size);
}

Hash RunningHash::value() const noexcept {
    crypto_generichash_state state = state_;
    Hash hash;
    crypto_generichash_final(&state, reinterpret_cast<unsigned char*>(hash.data()), hash.size());
    return hash;
}

}  // namespace CUBIND_NAMESPACE::detail

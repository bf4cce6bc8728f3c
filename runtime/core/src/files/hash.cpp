// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "files/hash.hpp"

#include <sodium.h>

namespace CUBIND_NAMESPACE::detail {
namespace {

using State = crypto_generichash_state;

State* state_of(std::array<std::byte, 384>& bytes) noexcept {
    static_assert(sizeof(State) == sizeof bytes && alignof(State) <= 64);
    return reinterpret_cast<State*>(bytes.data());
}

}  // namespace

std::string hexadecimal(std::span<const std::byte> bytes) {
    std::string digits(2 * bytes.size() + 1, '\0');
    sodium_bin2hex(digits.data(), digits.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    digits.pop_back();  // the NUL
    return digits;
}

// The functions of this hash fail only for sizes of hash and key that they do not support. They need no sodium_init(), which
// would open the system's source of random numbers.

RunningHash::RunningHash() noexcept {
    crypto_generichash_init(state_of(state_), nullptr, 0, sizeof(Hash));
}

void RunningHash::add(const void* data, std::size_t size) noexcept {
    crypto_generichash_update(state_of(state_), static_cast<const unsigned char*>(data), size);
}

Hash RunningHash::value() const noexcept {
    alignas(64) auto state = state_;
    Hash hash;
    crypto_generichash_final(state_of(state), reinterpret_cast<unsigned char*>(hash.data()), hash.size());
    return hash;
}

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cache/hash.hpp"

// xxHash is compiled into this file: programs that link cubind need no library for it.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace CUBIND_NAMESPACE::detail {

Hash128 hash_of(const void* head, std::size_t head_size, const void* body, std::size_t body_size) noexcept {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(body, body_size, XXH3_64bits(head, head_size));
    return {hash.high64, hash.low64};
}

struct RunningHash::State {
    XXH3_state_t hash;
};

RunningHash::RunningHash() : state_(new State) {
    XXH3_128bits_reset(&state_->hash);
}

RunningHash::~RunningHash() = default;

void RunningHash::add(const void* data, std::size_t size) noexcept {
    XXH3_128bits_update(&state_->hash, data, size);
}

Hash128 RunningHash::value() const noexcept {
    const XXH128_hash_t hash = XXH3_128bits_digest(&state_->hash);
    return {hash.high64, hash.low64};
}

}  // namespace CUBIND_NAMESPACE::detail

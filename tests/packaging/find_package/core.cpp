// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A minimal program that links cubind::core and a function of it that needs libsodium.
#include <cubind/core/program_cache_key.hpp>

#include <cstdio>

int main() {
    std::printf("%zu\n", cubind::CacheKeyBuilder().add("source", "text").key().to_string().size());
}

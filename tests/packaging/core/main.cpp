// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A minimal program that links cubind::core.
#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/driver/initialize.hpp>

#include <cstdio>

int main() {
    try {
        cubind::check(cubind::driver::cuInit(0));
    } catch (const cubind::Error& error) {
        std::printf("%s\n", error.name().c_str());
    }
    // Needs libsodium.
    std::printf("%zu\n", cubind::CacheKeyBuilder().add("source", "text").key().to_string().size());
}

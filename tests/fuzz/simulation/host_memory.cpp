// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "host_memory.hpp"

#include <cstdlib>
#include <sys/mman.h>

namespace cubind::fuzz::host_memory {

namespace {

constexpr std::size_t max_offset = std::size_t{1} << 20;
constexpr std::size_t size = max_offset + max_bytes;

std::byte* begin() {
    static std::byte* const memory = [] {
        void* const found = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (found == MAP_FAILED) std::abort();
        return static_cast<std::byte*>(found);
    }();
    return memory;
}

}  // namespace

std::byte* address(Choices& choices) {
    constexpr std::size_t offsets[] = {0, 1, 4, 8, 64, 4096, 65536, max_offset};
    return begin() + offsets[choices.below(sizeof offsets / sizeof *offsets)];
}

bool contains(std::uintptr_t address) {
    return address - reinterpret_cast<std::uintptr_t>(begin()) < size;
}

}  // namespace cubind::fuzz::host_memory

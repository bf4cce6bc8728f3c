// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "exhausted_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

// The number of allocations of this thread that succeed; the others fail until it is negative.
constinit thread_local long allocations_left = -1;
constinit thread_local bool has_failed = false;

}  // namespace

// Replaces the operators of the whole program.
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    if (allocations_left == 0) {
        has_failed = true;
        throw std::bad_alloc();
    }
    if (allocations_left > 0) --allocations_left;
    const auto unit = static_cast<std::size_t>(alignment);
    void* const memory = std::aligned_alloc(unit, (std::max<std::size_t>(bytes, 1) + unit - 1) / unit * unit);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void* operator new(std::size_t bytes) {
    return operator new (bytes, std::align_val_t{alignof(std::max_align_t)});
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace cubind::testing {

LimitedMemory::LimitedMemory(long count) {
    has_failed = false;
    allocations_left = count;
}

LimitedMemory::~LimitedMemory() {
    allocations_left = -1;
}

bool LimitedMemory::is_exhausted() const {
    return has_failed;
}

}  // namespace cubind::testing

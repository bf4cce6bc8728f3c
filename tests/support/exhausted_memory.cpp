// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "exhausted_memory.hpp"

#include <cstdlib>
#include <new>

namespace {

// The number of allocations of this thread that succeed; the others fail until it is negative.
constinit thread_local long allocations_left = -1;
constinit thread_local bool has_failed = false;

}  // namespace

// Replaces the operator of the whole program.
void* operator new(std::size_t bytes) {
    if (allocations_left == 0) {
        has_failed = true;
        throw std::bad_alloc();
    }
    if (allocations_left > 0) --allocations_left;
    void* const memory = std::malloc(bytes != 0 ? bytes : 1);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
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

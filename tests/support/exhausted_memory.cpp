// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "exhausted_memory.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

#include "unlimited_memory.hpp"

namespace {

// The number of allocations of this thread that succeed; the others fail until it is negative.
constinit thread_local long allocations_left = -1;
constinit thread_local bool has_failed = false;
constinit thread_local bool is_transient = false;

// Counts an allocation. Returns whether it must fail.
bool fails() noexcept {
    const bool is_last = allocations_left == 0;
    has_failed = has_failed || is_last;
    if (allocations_left > 0 || (is_last && is_transient)) --allocations_left;
    return is_last;
}

bool malloc_fails() noexcept {
    if (!is_transient || !fails()) return false;
    errno = ENOMEM;
    return true;
}

}  // namespace

// Replaces the functions of the whole process; glibc's own have these names, too.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);

void* malloc(std::size_t bytes) noexcept {
    return malloc_fails() ? nullptr : __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) noexcept {
    return malloc_fails() ? nullptr : __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) noexcept {
    return malloc_fails() ? nullptr : __libc_realloc(memory, bytes);
}
}

// Replaces the operators of the whole program.
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    if (fails()) throw std::bad_alloc();
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

long cubind_test_exchange_memory_limit(long count) noexcept {
    return std::exchange(allocations_left, count);
}

namespace cubind::testing {

LimitedMemory::LimitedMemory(long count, Shortage shortage) {
    has_failed = false;
    is_transient = shortage == Shortage::transient;
    allocations_left = count;
}

LimitedMemory::~LimitedMemory() {
    allocations_left = -1;
    is_transient = false;
}

bool LimitedMemory::is_exhausted() const {
    return has_failed;
}

}  // namespace cubind::testing

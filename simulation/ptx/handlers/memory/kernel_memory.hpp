// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ptx/program/instruction.hpp"

/// Access to memory that belongs to kernels. Several threads of the simulation may access it at the same time, as on a GPU, where
/// the kernel is responsible for its races. Functions that access it without atomic operations have the attribute
/// CUBIND_KERNEL_MEMORY, so that sanitizers report only races of the simulation itself.
#define CUBIND_KERNEL_MEMORY __attribute__((no_sanitize("thread")))

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

/// An element in the memory of a kernel. Its host address may be less aligned than its device address.
template <class Type>
struct __attribute__((packed, may_alias)) Element {
    Type value;
};

template <class Type>
Element<Type>* element_at(std::uintptr_t address) noexcept {
    return reinterpret_cast<Element<Type>*>(address);
}

/// The bits of a value of 16 bytes.
struct Bits128 {
    std::uint64_t low;
    std::uint64_t high;
};

/// An element in the memory of a kernel for atomic operations.
template <class Type>
struct __attribute__((may_alias)) AtomicElement {
    Type value;
};

template <class Type>
Type* atomic_at(std::uintptr_t address) noexcept {
    return &reinterpret_cast<AtomicElement<Type>*>(address)->value;
}

/// Atomic operations of all sizes. The order is one of the compiler's __ATOMIC constants.
/// Stores `desired` if the memory has `expected`. Otherwise sets `expected` to what the memory has and returns false.
template <class Type>
bool compare_exchange(std::uintptr_t address, Type& expected, Type desired) noexcept {
    return __atomic_compare_exchange_n(atomic_at<Type>(address), &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

#if defined(__x86_64__)

__extension__ using Vector128 __attribute__((vector_size(16), may_alias)) = long long;

// Compilers call a library for 16 bytes. Aligned loads and stores of 16 bytes are atomic on processors that have AVX.
inline bool compare_exchange(std::uintptr_t address, Bits128& expected, Bits128 desired) noexcept {
    bool is_equal = false;
    __asm__ __volatile__("lock cmpxchg16b %1"
                         : "=@ccz"(is_equal), "+m"(*reinterpret_cast<Vector128*>(address)), "+a"(expected.low),
                           "+d"(expected.high)
                         : "b"(desired.low), "c"(desired.high)
                         : "memory");
    return is_equal;
}
template <int order>
Bits128 load_atomic_128(std::uintptr_t address) noexcept {
    Vector128 value;
    __asm__ __volatile__("movdqa %1, %0" : "=x"(value) : "m"(*reinterpret_cast<const Vector128*>(address)) : "memory");
    return {static_cast<std::uint64_t>(value[0]), static_cast<std::uint64_t>(value[1])};
}
template <int order>
void store_atomic_128(std::uintptr_t address, Bits128 bits) noexcept {
    const Vector128 value = {static_cast<long long>(bits.low), static_cast<long long>(bits.high)};
    __asm__ __volatile__("movdqa %1, %0" : "=m"(*reinterpret_cast<Vector128*>(address)) : "x"(value) : "memory");
}

#else

__extension__ using Integer128 = unsigned __int128;
struct __attribute__((may_alias)) Memory128 {
    Integer128 value;
};

// The older built-in function compiles to instructions; compilers call a library for the newer ones.
inline bool compare_exchange(std::uintptr_t address, Bits128& expected, Bits128 desired) noexcept {
    const Integer128 before = static_cast<Integer128>(expected.high) << 64 | expected.low;
    const Integer128 after = static_cast<Integer128>(desired.high) << 64 | desired.low;
    const Integer128 old = __sync_val_compare_and_swap(&reinterpret_cast<Memory128*>(address)->value, before, after);
    expected = {static_cast<std::uint64_t>(old), static_cast<std::uint64_t>(old >> 64)};
    return old == before;
}
// The memory may be read-only, so that a load cannot be an exchange.
template <int order>
CUBIND_KERNEL_MEMORY Bits128 load_atomic_128(std::uintptr_t address) noexcept {
    const Bits128 bits = element_at<Bits128>(address)->value;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return bits;
}
template <int order>
void store_atomic_128(std::uintptr_t address, Bits128 bits) noexcept {
    Bits128 expected{};
    while (!compare_exchange(address, expected, bits)) {
    }
}

#endif

template <int order, class Type>
Type load_atomic(std::uintptr_t address) noexcept {
    if constexpr (sizeof(Type) == 16) {
        return load_atomic_128<order>(address);
    } else {
        return __atomic_load_n(atomic_at<Type>(address), order);
    }
}
template <int order, class Type>
void store_atomic(std::uintptr_t address, Type value) noexcept {
    if constexpr (sizeof(Type) == 16) {
        store_atomic_128<order>(address, value);
    } else {
        __atomic_store_n(atomic_at<Type>(address), value, order);
    }
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

/// Sets how many allocations of the calling thread succeed; all if negative. Returns the previous number. exhausted_memory.cpp
/// defines it.
extern "C" [[gnu::weak]] long cubind_test_exchange_memory_limit(long count) noexcept;

namespace cubind::testing {

/// Lets all allocations of the calling thread succeed: for stand-ins, because libraries of NVIDIA have a heap of their own. It
/// has no effect in programs without exhausted_memory.cpp.
class UnlimitedMemory {
public:
    UnlimitedMemory() noexcept : limit_(exchange(-1)) {}
    ~UnlimitedMemory() { exchange(limit_); }
    UnlimitedMemory(const UnlimitedMemory&) = delete;
    UnlimitedMemory& operator=(const UnlimitedMemory&) = delete;

private:
    static long exchange(long count) noexcept {
        return cubind_test_exchange_memory_limit == nullptr ? -1 : cubind_test_exchange_memory_limit(count);
    }

    long limit_;
};

/// Returns a function of a stand-in that calls `function` with unlimited memory.
template <class Function, class Result, class... Arguments>
void* with_unlimited_memory(Function, Result (*)(Arguments...)) {
    static_assert(!std::is_pointer_v<Function>, "pass a lambda, or the function as the argument of the other template");
    Result (*const wrapped)(Arguments...) = [](Arguments... arguments) -> Result {
        const UnlimitedMemory memory;
        return Function()(arguments...);
    };
    return reinterpret_cast<void*>(wrapped);
}

namespace detail {

template <auto function, class Result, class... Arguments>
void* with_unlimited_memory(Result (*)(Arguments...)) {
    Result (*const wrapped)(Arguments...) = [](Arguments... arguments) -> Result {
        const UnlimitedMemory memory;
        return function(arguments...);
    };
    return reinterpret_cast<void*>(wrapped);
}

}  // namespace detail

/// Returns a function that calls `function`, a function of a stand-in, with unlimited memory.
template <auto function>
void* with_unlimited_memory() {
    return detail::with_unlimited_memory<function>(function);
}

}  // namespace cubind::testing

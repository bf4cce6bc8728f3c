// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <mutex>
#include <new>

#include "platform/fork_hook.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The only object of a type. It needs no memory of the heap, is never destroyed, because objects of any lifetime use it, and is
/// usable in a child of fork(): if another thread of the parent held the mutex, the object begins anew there.
template <class State, std::mutex State::*mutex = &State::mutex>
class ProcessState {
public:
    static State& get() noexcept {
        alignas(State) static std::byte storage[sizeof(State)];
        static State& only = begin(storage);
        return only;
    }

private:
    static State& begin(std::byte* storage) noexcept {
        State& state = *::new (storage) State;
        hook_.add(state.*mutex, &state, renew);
        return state;
    }
    static void renew(void* state) noexcept { ::new (state) State; }

    inline static constinit StaticForkHook hook_;
};

}  // namespace CUBIND_NAMESPACE::detail

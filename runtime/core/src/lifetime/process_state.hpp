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
        alignas(ProcessState) static std::byte storage[sizeof(ProcessState)];
        static ProcessState& only = *::new (storage) ProcessState;
        return only.state_;
    }

private:
    static void renew(void* state) noexcept { ::new (state) State; }

    State state_;
    ForkHook hook_{state_.*mutex, &state_, renew};
};

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <utility>

namespace CUBIND_NAMESPACE::detail {

/// Owns the state of a class whose type only the class's source file defines. std::unique_ptr would do the same, but each of its
/// instantiations takes 1 % of the time to compile <cubind/core.hpp>.
template <class State>
class PrivateState {
public:
    /// Takes ownership.
    explicit PrivateState(State* owned) noexcept : state_(owned) {}
    /// Takes ownership from `other`, which is empty afterwards.
    PrivateState(PrivateState&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
    PrivateState& operator=(PrivateState&& other) noexcept {
        if (this != &other) {
            reset();
            state_ = std::exchange(other.state_, nullptr);
        }
        return *this;
    }
    PrivateState(const PrivateState&) = delete;
    PrivateState& operator=(const PrivateState&) = delete;
    ~PrivateState() { reset(); }

    /// Destroys the state. The object is empty afterwards.
    void reset() noexcept {
        static_assert(sizeof(State) > 0, "the state must be defined where it is destroyed");
        delete std::exchange(state_, nullptr);
    }

    /// Returns whether there is a state.
    explicit operator bool() const noexcept { return state_ != nullptr; }
    State& operator*() const noexcept { return *state_; }
    State* operator->() const noexcept { return state_; }

private:
    State* state_;
};

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream.hpp>
#include <cubind/driver/types.hpp>

#include <atomic>

namespace cubind::detail {

/// An owned stream, counted: its owner is one user, and so is each buffer whose memory goes back in the stream's order. The last one
/// destroys it, since the driver follows the handle of a destroyed stream.
class StreamState {
public:
    explicit StreamState(driver::CUstream handle, Keeper* keeper = nullptr) noexcept : handle_(handle), keeper_(keeper) {}

    driver::CUstream handle() const noexcept { return handle_; }
    Keeper* keeper() const noexcept { return keeper_; }
    void set_keeper(Keeper* keeper) noexcept { keeper_ = keeper; }

    void add_user() noexcept { users_.fetch_add(1, std::memory_order_relaxed); }
    /// Destroys the stream after its last user, telling the cleanup handler what fails.
    void remove_user() noexcept;
    /// The same, but throws what fails; then the user is still one.
    void remove_user_or_throw();

    /// From now on somebody else destroys the stream.
    void give_up() noexcept { is_given_up_.store(true, std::memory_order_relaxed); }

private:
    ~StreamState() = default;

    driver::CUstream handle_;
    Keeper* keeper_;
    std::atomic<long> users_{1};
    std::atomic<bool> is_given_up_{false};
};

/// The state of a stream that is owned from now on, with one user. If it throws, the stream is destroyed.
StreamState* own_stream(driver::CUstream handle);

}  // namespace cubind::detail

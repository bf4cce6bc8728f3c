// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>
#include <cubind/driver/types.hpp>

#include <utility>

namespace CUBIND_NAMESPACE::detail {

class Retainer;
struct GreenContextUse;

/// The number of contexts that are known to have ended; atomic.
CUBIND_EXPORT extern unsigned int ended_contexts;

/// The reference-counted state of an owned stream. Its users are the owner and objects that need the stream later, such as a
/// buffer that is freed in the stream's order. The last user destroys the stream. It is not destroyed earlier, because the
/// driver dereferences the handle of a destroyed stream.
class CUBIND_EXPORT StreamState {
public:
    /// Takes ownership of `green_context`, which retains the stream's green context; nullptr if it has none.
    StreamState(driver::CUstream handle, driver::CUcontext context, bool is_in_primary_context,
                GreenContextUse* green_context = nullptr) noexcept
        : handle_(handle),
          context_(context),
          green_context_(green_context),
          first_later_end_(__atomic_load_n(&ended_contexts, __ATOMIC_RELAXED)),
          is_in_primary_context_(is_in_primary_context) {}

    driver::CUstream handle() const noexcept { return handle_; }
    driver::CUcontext context() const noexcept { return context_; }
    /// Returns the reference that retains the stream's green context, or nullptr.
    const GreenContextUse* green_context() const noexcept { return green_context_; }

    /// Returns whether the context may have ended. Makes no driver call. A primary context ends when other code resets it.
    /// Drivers recognize the streams of a context that was reset and return a status, until the context is retained again.
    bool may_have_ended() const noexcept {
        return !is_in_primary_context_ || first_later_end_ != __atomic_load_n(&ended_contexts, __ATOMIC_RELAXED);
    }
    /// Returns whether the context, and with it the stream, has ended. Drivers dereference the handle of such a stream, so it
    /// must not be used.
    bool has_ended() const noexcept;

    Retainer* retainer() const noexcept { return retainer_; }
    void set_retainer(Retainer* retainer) noexcept { retainer_ = retainer; }

    /// Notes that other code has the handle and can capture the stream.
    void expose() noexcept {
        if (!is_exposed()) __atomic_store_n(&is_exposed_, true, __ATOMIC_RELAXED);
    }
    bool is_exposed() const noexcept { return __atomic_load_n(&is_exposed_, __ATOMIC_RELAXED); }

    // The atomic builtins are used because <atomic> would cost more compile time than everything else in this header.
    void add_user() noexcept { __atomic_fetch_add(&users_, 1, __ATOMIC_RELAXED); }
    /// Removes a user. The last one destroys the stream; a failure is reported to the cleanup handler.
    void remove_user() noexcept {
        if (__atomic_fetch_sub(&users_, 1, __ATOMIC_ACQ_REL) == 1) end();
    }
    /// Removes a user. Throws Error if it is the last one and the stream cannot be destroyed.
    void remove_user_or_throw();

    /// Transfers ownership of the stream to the caller: the last user no longer destroys it.
    void disown() noexcept { __atomic_store_n(&is_disowned_, true, __ATOMIC_RELAXED); }

private:
    ~StreamState() = default;
    bool is_disowned() const noexcept { return __atomic_load_n(&is_disowned_, __ATOMIC_RELAXED); }
    void end() noexcept;
    void delete_this() noexcept;

    driver::CUstream handle_;
    driver::CUcontext context_;
    GreenContextUse* green_context_;
    Retainer* retainer_ = nullptr;
    long users_ = 1;
    unsigned int first_later_end_;  // value of ended_contexts when the stream was created
    bool is_in_primary_context_;
    bool is_disowned_ = false;
    bool is_exposed_ = false;
};

/// A reference to the state of an owned stream, counted as one user; may be empty.
class CUBIND_EXPORT StreamUser {
public:
    explicit StreamUser(StreamState* state = nullptr) noexcept : state_(state) {
        if (state_ != nullptr) state_->add_user();
    }
    StreamUser(const StreamUser& other) noexcept : StreamUser(other.state_) {}
    StreamUser(StreamUser&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
    StreamUser& operator=(StreamUser other) noexcept {
        std::swap(state_, other.state_);
        return *this;
    }
    ~StreamUser() {
        if (state_ != nullptr) state_->remove_user();
    }

    StreamState* get() const noexcept { return state_; }

private:
    StreamState* state_;
};

/// Returns the state of a stream that cubind owns from now on, with one user. If it throws, the caller still owns the stream.
[[nodiscard]] CUBIND_EXPORT StreamState* own_stream(driver::CUstream handle, driver::CUcontext context);

}  // namespace CUBIND_NAMESPACE::detail

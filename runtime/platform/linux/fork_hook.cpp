// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/fork_hook.hpp"

#include <pthread.h>

namespace CUBIND_NAMESPACE::detail {

constinit std::mutex ForkHook::all_mutex_;
constinit ForkHook* ForkHook::all_ = nullptr;

ForkHook::ForkHook(std::mutex* mutex, void* object, Function continue_in_child) noexcept
    : mutex_(mutex), object_(object), continue_in_child_(continue_in_child) {
    add();
}

ForkHook::ForkHook(std::mutex& mutex, void* object, Function renew) noexcept : mutex_(&mutex), object_(object), renew_(renew) {
    add();
}

void ForkHook::add() noexcept {
    static const int status = ::pthread_atfork(prepare, release_in_parent, release_in_child);
    static_cast<void>(status);
    const std::lock_guard guard(all_mutex_);
    next_ = all_;
    if (next_ != nullptr) next_->previous_ = this;
    all_ = this;
}

ForkHook::~ForkHook() {
    const std::lock_guard guard(all_mutex_);
    (previous_ != nullptr ? previous_->next_ : all_) = next_;
    if (next_ != nullptr) next_->previous_ = previous_;
}

void ForkHook::prepare() noexcept {
    all_mutex_.lock();
    for (ForkHook* each = all_; each != nullptr; each = each->next_) {
        if (each->mutex_ == nullptr) continue;
        each->is_held_ = each->renew_ == nullptr || each->mutex_->try_lock();
        if (each->renew_ == nullptr) each->mutex_->lock();
    }
}

void ForkHook::release_in_parent() noexcept {
    for (const ForkHook* each = all_; each != nullptr; each = each->next_) {
        if (each->is_held_) each->mutex_->unlock();
    }
    all_mutex_.unlock();
}

void ForkHook::release_in_child() noexcept {
    for (const ForkHook* each = all_; each != nullptr; each = each->next_) {
        if (each->continue_in_child_ != nullptr) each->continue_in_child_(each->object_);
        if (each->renew_ != nullptr && !each->is_held_) each->renew_(each->object_);
    }
    release_in_parent();
}

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/fork_hook.hpp"

#include <memory>
#include <pthread.h>

namespace CUBIND_NAMESPACE::detail {

constinit std::mutex ForkHook::removal_mutex_;
constinit std::mutex ForkHook::list_mutex_;
constinit ForkHook::List ForkHook::all_{};
constinit ForkHook::List ForkHook::held_{};

ForkHook::ForkHook(ForkLevel level, void* object, const Actions& actions) noexcept
    : level_(level), object_(object), actions_(actions) {
    add();
}

ForkHook::ForkHook(ForkLevel level, std::mutex* mutex, void* object, Function continue_in_child) noexcept
    : level_(level), mutex_(mutex), object_(object), actions_{.in_child = continue_in_child} {
    add();
}

ForkHook::ForkHook(std::mutex& mutex, void* object, Function renew) noexcept
    : level_(ForkLevel::object), mutex_(&mutex), object_(object), renew_(renew) {
    add();
}

void ForkHook::add() noexcept {
    static const int status = ::pthread_atfork(prepare, finish<false>, finish<true>);
    static_cast<void>(status);
    ForkHook*& first = all_[static_cast<std::size_t>(level_)];
    const std::lock_guard guard(list_mutex_);
    next_ = first;
    if (next_ != nullptr) next_->previous_ = this;
    first = this;
}

ForkHook::~ForkHook() {
    const std::lock_guard removal(removal_mutex_);
    const std::lock_guard guard(list_mutex_);
    (previous_ != nullptr ? previous_->next_ : all_[static_cast<std::size_t>(level_)]) = next_;
    if (next_ != nullptr) next_->previous_ = previous_;
}

void ForkHook::hold() noexcept {
    is_held_ = true;
    if (renew_ != nullptr) {
        is_held_ = mutex_->try_lock();
    } else if (mutex_ != nullptr) {
        mutex_->lock();
    } else if (actions_.hold != nullptr) {
        actions_.hold(object_);
    }
}

void ForkHook::release() noexcept {
    if (is_held_ && mutex_ != nullptr) mutex_->unlock();
    if (actions_.release != nullptr) actions_.release(object_);
}

// While a thread that holds a mutex adds a hook, this one may wait for that mutex. So it does not hold the list's mutex then, nor
// when the handlers of other libraries run. The links from hook to hook change only by removals.
void ForkHook::prepare() noexcept {
    removal_mutex_.lock();
    list_mutex_.lock();
    held_ = all_;
    list_mutex_.unlock();
    for (ForkHook* const first : held_) {
        for (ForkHook* each = first; each != nullptr; each = each->next_) each->hold();
    }
}

// Another thread of the parent may have been adding a hook. It has then written the link of a hook that it has not added.
void ForkHook::repair_list() noexcept {
    std::construct_at(&list_mutex_);
    for (ForkHook* const first : all_) {
        if (first != nullptr) first->previous_ = nullptr;
    }
}

template <bool is_child>
void ForkHook::finish() noexcept {
    if constexpr (is_child) repair_list();
    for (std::size_t level = fork_levels; level-- > 0;) {
        if constexpr (is_child) {
            for (ForkHook* each = held_[level]; each != nullptr; each = each->next_) {
                if (each->actions_.in_child != nullptr) each->actions_.in_child(each->object_);
                if (each->renew_ != nullptr && !each->is_held_) each->renew_(each->object_);
            }
        }
        for (ForkHook* each = held_[level]; each != nullptr; each = each->next_) each->release();
    }
    removal_mutex_.unlock();
}

}  // namespace CUBIND_NAMESPACE::detail

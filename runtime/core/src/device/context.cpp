// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/driver/context.hpp>

#include "calls/context_wait.hpp"
#include "calls/driver.hpp"
#include "lifetime/deferred.hpp"
#include "lifetime/known_contexts.hpp"

namespace CUBIND_NAMESPACE {

// ---- the view ------------------------------------------------------------------------------------------------------------

ContextRef ContextRef::current() {
    (void)Device::count();  // initializes the driver
    return check(driver::cuCtxGetCurrent());
}

ContextRef ContextRef::set_current() const {
    const ContextRef before = current();
    check(driver::cuCtxSetCurrent(handle_));
    return before;
}

bool ContextRef::is_current() const {
    return current() == *this;
}

void ContextRef::synchronize() const {
    const ScopedContext scope(*this);
    detail::check_context_wait(driver::cuCtxSynchronize(), [&] { return handle_; });
    detail::destroy_ready_objects();
}

std::size_t ContextRef::limit(driver::CUlimit which) const {
    const ScopedContext scope(*this);
    return check(driver::cuCtxGetLimit(which));
}

void ContextRef::set_limit(driver::CUlimit which, std::size_t value) const {
    const ScopedContext scope(*this);
    check(driver::cuCtxSetLimit(which, value));
}

PriorityRange ContextRef::priority_range() const {
    const ScopedContext scope(*this);
    const auto [least, greatest] = check(driver::cuCtxGetStreamPriorityRange());
    return {least, greatest};
}

driver::CUfunc_cache ContextRef::cache_config() const {
    const ScopedContext scope(*this);
    return check(driver::cuCtxGetCacheConfig());
}

void ContextRef::set_cache_config(driver::CUfunc_cache config) const {
    const ScopedContext scope(*this);
    check(driver::cuCtxSetCacheConfig(config));
}

void ContextRef::reset_persisting_l2_cache() const {
    const ScopedContext scope(*this);
    check(driver::cuCtxResetPersistingL2Cache());
}

unsigned int ContextRef::flags() const {
    const ScopedContext scope(*this);
    return check(driver::cuCtxGetFlags());
}

unsigned long long ContextRef::id() const {
    return check(driver::cuCtxGetId(native_handle()));
}

void detail::throw_no_context() {
    throw_misuse("there is no context: this ContextRef is empty, or its Context was moved from, closed or released");
}

void ContextRef::destroy() const {
    check(driver::cuCtxDestroy(handle_));
    detail::note_ended_context(handle_);
}

void ContextRef::destroy_quietly() const noexcept {
    const auto destroyed = driver::cuCtxDestroy(handle_);
    detail::report_unless_released(destroyed, "destroy a context", handle_);
    if (destroyed.ok()) detail::note_ended_context(handle_);
}

// ---- the scope -----------------------------------------------------------------------------------------------------------

ScopedContext::ScopedContext(ContextRef context) : pushed_(false) {
    const driver::CUcontext handle = context.native_handle();
    before_ = ContextRef::current();
    if (before_ == context) return;
    check(driver::cuCtxPushCurrent(handle));
    pushed_ = true;
}

ScopedContext::~ScopedContext() {
    if (!pushed_) return;
    const auto popped = driver::cuCtxPopCurrent();
    if (popped.status == driver::CUDA_SUCCESS) return;
    detail::report_unless_released({popped.status}, "pop the current context (the previous one is set instead)", popped.value);
    (void)driver::cuCtxSetCurrent(before_ ? before_.native_handle() : driver::CUcontext());
}

}  // namespace CUBIND_NAMESPACE

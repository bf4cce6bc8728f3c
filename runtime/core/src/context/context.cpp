// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/context.hpp>
#include <cubind/core/device.hpp>
#include <cubind/driver/context.hpp>

#include "support/driver.hpp"

namespace cubind {

// ---- the view ------------------------------------------------------------------------------------------------------------

ContextRef ContextRef::current() {
    const auto [status, context] = driver::cuCtxGetCurrent();
    if (status == driver::CUDA_ERROR_NOT_INITIALIZED) return nullptr;  // nobody can have made one current
    return check(Result<driver::CUresult, driver::CUcontext>{status, context});
}

Device ContextRef::device() const {
    const ScopedContext scope(*this);
    return Device(static_cast<int>(check(driver::cuCtxGetDevice())));
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
    check(driver::cuCtxSynchronize());
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

unsigned int ContextRef::flags() const {
    const ScopedContext scope(*this);
    return check(driver::cuCtxGetFlags());
}

unsigned long long ContextRef::id() const {
    return check(driver::cuCtxGetId(native_handle()));
}

void ContextRef::destroy() const {
    check(driver::cuCtxDestroy(handle_));
}

void ContextRef::destroy_quietly() const noexcept {
    detail::report_unless_released(driver::cuCtxDestroy(handle_), "destroy a context", handle_);
}

// ---- the owner -----------------------------------------------------------------------------------------------------------

namespace {

unsigned int creation_flags(const ContextOptions& options) {
    unsigned int flags = static_cast<unsigned int>(options.scheduling);
    if (options.keeps_local_memory) flags |= driver::CU_CTX_LMEM_RESIZE_TO_MAX;
    if (options.synchronizes_memory_operations) flags |= driver::CU_CTX_SYNC_MEMOPS;
    return flags;
}

// The driver makes a new context current, which is undone.
driver::CUcontext create(driver::CUdevice device, unsigned int flags) {
    const ContextRef before = ContextRef::current();
    const driver::CUcontext context = check(driver::cuCtxCreate_v2(flags, device));
    if (const auto restored = driver::cuCtxSetCurrent(before ? before.native_handle() : nullptr); !restored.ok()) {
        (void)driver::cuCtxDestroy(context);
        check(restored);
    }
    return context;
}

}  // namespace

Context::Context(Device device, const ContextOptions& options) : Owner(create(device.native_handle(), creation_flags(options))) {}

Context Context::from_native_handle(Handle handle) {
    return Context(handle);
}

// ---- the scope -----------------------------------------------------------------------------------------------------------

ScopedContext::ScopedContext(ContextRef context) : before_(nullptr), pushed_(false) {
    const driver::CUcontext wanted = context.native_handle();
    before_ = ContextRef::current();
    if (before_ == context) return;
    check(driver::cuCtxPushCurrent(wanted));
    pushed_ = true;
}

ScopedContext::~ScopedContext() {
    if (!pushed_) return;
    const auto popped = driver::cuCtxPopCurrent();
    if (popped.status == driver::CUDA_SUCCESS) return;
    detail::report_unless_released({popped.status}, "pop the current context, which is replaced now", popped.value);
    (void)driver::cuCtxSetCurrent(before_ ? before_.native_handle() : nullptr);
}

}  // namespace cubind

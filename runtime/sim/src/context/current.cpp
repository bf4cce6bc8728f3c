// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "context/current.hpp"

#include <simulation/functions.hpp>

#include "capture/unsafe_call.hpp"
#include "machine/check.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

struct ThreadState {
    unsigned long machine = 0;  ///< serial of the machine that the contexts belong to
    std::vector<std::shared_ptr<Context>> stack;
};

// Destructors of global objects may call the driver after the thread-local objects of their thread are destroyed. They
// use a separate state with an initially empty stack.
constinit thread_local bool is_thread_state_destroyed = false;
constinit thread_local ThreadState* fallback_state = nullptr;

struct ThreadLocalState : ThreadState {
    ~ThreadLocalState() { is_thread_state_destroyed = true; }
};
thread_local ThreadLocalState this_thread;

ThreadState& thread_state() {
    if (!is_thread_state_destroyed) [[likely]]
        return this_thread;
    if (fallback_state == nullptr) fallback_state = new ThreadState;
    return *fallback_state;
}

// Finds a context. A primary context can be found and made current even after its last release.
std::shared_ptr<Context> find_context(CUcontext handle) {
    return machine().contexts.find(handle);
}

}  // namespace

std::vector<std::shared_ptr<Context>>& context_stack() {
    ThreadState& state = thread_state();
    if (state.machine != machine().serial) {
        state.stack.clear();
        state.machine = machine().serial;
    }
    return state.stack;
}

Context* current_context() noexcept {
    const auto& stack = context_stack();
    return stack.empty() ? nullptr : stack.back().get();
}

extern "C" {

CUresult sim_cuCtxGetCurrent(CUcontext* pctx) {
    if (const CUresult status = check_initialized()) return status;
    const Context* const context = current_context();
    return write_output(pctx, context != nullptr ? context->handle : nullptr);
}

CUresult sim_cuCtxSetCurrent(CUcontext ctx) {
    if (const CUresult status = check_initialized()) return status;
    auto& stack = context_stack();
    if (ctx == nullptr) {
        if (!stack.empty()) stack.pop_back();
        return CUDA_SUCCESS;
    }
    std::shared_ptr<Context> context = find_context(ctx);
    if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (stack.empty()) {
        stack.push_back(std::move(context));
    } else {
        stack.back() = std::move(context);
    }
    return CUDA_SUCCESS;
}

CUresult sim_cuCtxPushCurrent_v2(CUcontext ctx) {
    if (const CUresult status = check_initialized()) return status;
    if (ctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::shared_ptr<Context> context = find_context(ctx);
    if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    context_stack().push_back(std::move(context));
    return CUDA_SUCCESS;
}

CUresult sim_cuCtxPushCurrent(CUcontext ctx) {
    return sim_cuCtxPushCurrent_v2(ctx);
}

CUresult sim_cuCtxPopCurrent_v2(CUcontext* pctx) {
    if (const CUresult status = check_initialized()) return status;
    auto& stack = context_stack();
    if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
    if (pctx != nullptr) *pctx = stack.back()->handle;
    stack.pop_back();
    return CUDA_SUCCESS;
}

CUresult sim_cuCtxPopCurrent(CUcontext* pctx) {
    return sim_cuCtxPopCurrent_v2(pctx);
}

CUresult sim_cuCtxGetDevice(CUdevice* device) {
    if (const CUresult status = check_initialized()) return status;
    // A destroyed context still returns its device.
    const Context* const context = current_context();
    return context != nullptr ? write_output(device, context->device.ordinal) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult sim_cuCtxSynchronize() {
    const CurrentCheck context;
    if (context.failed()) return context.status;
    if (const CUresult status = check_context_wait(*context)) return status;
    context->order.wait();
    return context->device.fault();
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/current.hpp"
#include "machine/machine.hpp"
#include "shared/valid.hpp"
#include "support/output.hpp"

/// Checks that almost every driver function makes first, in the order in which the driver reports errors.
namespace CUBIND_NAMESPACE::sim {

/// Whether a function can be called within a host function of a stream. The driver permits few.
enum class InHostFunction { refused, permitted };

/// Returns CUDA_ERROR_NOT_INITIALIZED before cuInit, CUDA_ERROR_NOT_PERMITTED within a host function of a stream unless it is
/// permitted, and CUDA_SUCCESS otherwise. Outside of host functions, waits while the process is locked for a checkpoint.
inline driver::CUresult check_initialized(InHostFunction in_host_function = InHostFunction::refused) {
    Machine& simulation = machine();
    if (!simulation.initialized.load(std::memory_order_acquire)) return driver::CUDA_ERROR_NOT_INITIALIZED;
    // The lock waits for the host function, which therefore must not wait for the lock.
    if (WorkQueue::is_calling_host_function())
        return in_host_function == InHostFunction::permitted ? driver::CUDA_SUCCESS : driver::CUDA_ERROR_NOT_PERMITTED;
    simulation.process_lock.wait_until_running();
    return driver::CUDA_SUCCESS;
}

/// A device, found by its ordinal.
struct DeviceCheck {
    explicit DeviceCheck(driver::CUdevice ordinal) : status(check_initialized()) {
        if (status != driver::CUDA_SUCCESS) return;
        device = find_device(ordinal);
        if (device == nullptr) status = driver::CUDA_ERROR_INVALID_DEVICE;
    }
    bool failed() const noexcept { return status != driver::CUDA_SUCCESS; }
    Device* operator->() const noexcept { return device; }
    Device& operator*() const noexcept { return *device; }

    driver::CUresult status;
    Device* device = nullptr;
};

/// A context, found by its handle. It may have ended, unless it is a green context.
struct ContextCheck {
    explicit ContextCheck(driver::CUcontext handle) : status(check_initialized()) {
        if (status != driver::CUDA_SUCCESS) return;
        found = find_context(handle);
        if (found.context == nullptr) {
            status = driver::CUDA_ERROR_INVALID_CONTEXT;
        } else if (found.green != nullptr && !found.green->is_alive()) {
            status = driver::CUDA_ERROR_CONTEXT_IS_DESTROYED;
        }
    }
    bool failed() const noexcept { return status != driver::CUDA_SUCCESS; }
    Context* operator->() const noexcept { return found.context.get(); }
    Context& operator*() const noexcept { return *found.context; }

    driver::CUresult status;
    CurrentContext found;
};

/// The calling thread's current context. It must be alive, and its device without a fault.
struct CurrentCheck {
    CurrentCheck() : status(check_initialized()) {
        if (status != driver::CUDA_SUCCESS) return;
        const auto& stack = context_stack();
        if (stack.empty()) {
            status = driver::CUDA_ERROR_INVALID_CONTEXT;
            return;
        }
        const CurrentContext& current = stack.back();
        context = current.context.get();
        if (!context->is_alive() || (current.green != nullptr && !current.green->is_alive())) {
            status = driver::CUDA_ERROR_CONTEXT_IS_DESTROYED;
        } else {
            status = context->device.fault();
        }
    }
    bool failed() const noexcept { return status != driver::CUDA_SUCCESS; }
    Context* operator->() const noexcept { return context; }
    Context& operator*() const noexcept { return *context; }

    driver::CUresult status;
    Context* context = nullptr;
};

}  // namespace CUBIND_NAMESPACE::sim

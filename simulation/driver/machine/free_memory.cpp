// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/free_memory.hpp"

#include <new>

#include "machine/check.hpp"
#include "machine/unsafe_call.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

CUresult free_memory(std::uintptr_t address, bool (*is_freeable)(const Allocation&), CUresult missing_status) {
    if (const CUresult status = check_initialized()) return status;
    if (const CUresult status = check_unsafe_call()) return status;
    CUresult fault = CUDA_SUCCESS;
    const auto freed = machine().memory.remove(address, [&](const Allocation& each) {
        fault = each.device->fault();
        return fault == CUDA_SUCCESS && is_freeable(each);
    });
    if (freed == nullptr) {
        const Context* const current = current_context();
        if (current != nullptr && !current->is_alive()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
        return fault != CUDA_SUCCESS ? fault : missing_status;
    }
    wait_for_device(*freed->device);  // no lookup finds the memory any longer; it is freed when `freed` goes out of scope
    return CUDA_SUCCESS;
}

void wait_for_device(const Device& device) {
    const auto is_busy = [&](const Context& context) { return &context.device == &device && !context.order.is_idle(); };
    if (machine().contexts.find_if(is_busy) == nullptr) return;
    try {
        for (const auto& context : machine().contexts.all()) {
            if (is_busy(*context)) context->order.wait();
        }
    } catch (const std::bad_alloc&) {
        // Whoever waits is about to free what the work uses, so the wait must not fail. Without the lists, it also waits for work
        // that is submitted meanwhile.
        while (const auto context = machine().contexts.find_if(is_busy)) context->order.finish();
    }
}

}  // namespace CUBIND_NAMESPACE::sim

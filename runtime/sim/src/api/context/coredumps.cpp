// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/check.hpp"

/// Settings of core dumps. The global ones need no cuInit(). Nothing writes a core dump, so no callback is ever called.
namespace CUBIND_NAMESPACE::sim {

namespace {

// Returns whether the simulated release has the attribute.
bool is_known(CUcoredumpSettings attribute) {
    constexpr int first_release_of_flags = 12050;
    return attribute != CU_COREDUMP_GENERATION_FLAGS || machine().release >= first_release_of_flags;
}

CUresult register_callback(CUcoredumpStatusCallback callback, bool is_for_start, CUcoredumpCallbackHandle* out) {
    if (callback == nullptr || out == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return write_output(out, add_new(machine().coredump_callbacks, is_for_start)->handle);
}

CUresult deregister_callback(CUcoredumpCallbackHandle callback, bool is_for_start) {
    const auto found = machine().coredump_callbacks.find(callback);
    if (found == nullptr || found->is_for_start != is_for_start) return CUDA_ERROR_INVALID_VALUE;
    return machine().coredump_callbacks.remove(callback) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace

extern "C" {

CUresult sim_cuCoredumpGetAttribute(CUcoredumpSettings attrib, void* value, std::size_t* size) {
    const CurrentCheck context;
    if (context.failed()) return context.status;
    if (!is_known(attrib)) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(context->settings_mutex);
    return context->coredump.get(attrib, value, size);
}

CUresult sim_cuCoredumpGetAttributeGlobal(CUcoredumpSettings attrib, void* value, std::size_t* size) {
    GlobalCoredumpSettings& global = machine().coredump;
    if (!is_known(attrib)) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(global.mutex);
    return global.settings.get(attrib, value, size);
}

// The user's trigger acts on all contexts.
CUresult sim_cuCoredumpSetAttribute(CUcoredumpSettings attrib, void* value, std::size_t* size) {
    const CurrentCheck context;
    if (context.failed()) return context.status;
    if (!is_known(attrib)) return CUDA_ERROR_INVALID_VALUE;
    const bool is_global = attrib == CU_COREDUMP_ENABLE_USER_TRIGGER || attrib == CU_COREDUMP_PIPE;
    if (is_global && value != nullptr) return CUDA_ERROR_NOT_PERMITTED;
    const std::lock_guard lock(context->settings_mutex);
    return context->coredump.set(attrib, value, size);
}

CUresult sim_cuCoredumpSetAttributeGlobal(CUcoredumpSettings attrib, void* value, std::size_t* size) {
    GlobalCoredumpSettings& global = machine().coredump;
    if (!is_known(attrib)) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(global.mutex);
    return global.settings.set(attrib, value, size);
}

CUresult sim_cuCoredumpRegisterStartCallback(CUcoredumpStatusCallback callback, void* /*userData*/,
                                             CUcoredumpCallbackHandle* callbackOut) {
    return register_callback(callback, true, callbackOut);
}

CUresult sim_cuCoredumpRegisterCompleteCallback(CUcoredumpStatusCallback callback, void* /*userData*/,
                                                CUcoredumpCallbackHandle* callbackOut) {
    return register_callback(callback, false, callbackOut);
}

CUresult sim_cuCoredumpDeregisterStartCallback(CUcoredumpCallbackHandle callback) {
    return deregister_callback(callback, true);
}

CUresult sim_cuCoredumpDeregisterCompleteCallback(CUcoredumpCallbackHandle callback) {
    return deregister_callback(callback, false);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim

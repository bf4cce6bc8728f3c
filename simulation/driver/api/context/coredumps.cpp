// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>
#include <string>

#include "machine/check.hpp"
#include "platform/process.hpp"

/// Settings of core dumps. The global ones need no cuInit(). Nothing writes a core dump, so no callback is ever called.
namespace CUBIND_NAMESPACE::sim {

namespace {

// Returns whether the simulated release has the attribute.
bool is_known(CUcoredumpSettings attribute) {
    constexpr int first_release_of_flags = 12050;
    return attribute != CU_COREDUMP_GENERATION_FLAGS || machine().release >= first_release_of_flags;
}

// Returns whether the simulated release has the attribute, and contexts have it. The user's trigger acts on all contexts.
bool is_known_to_contexts(CUcoredumpSettings attribute) {
    return is_known(attribute) && attribute != CU_COREDUMP_ENABLE_USER_TRIGGER && attribute != CU_COREDUMP_PIPE;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) text.replace(at, from.size(), to);
}

// Puts the names of the host and the process in the place of %h and %p, which a GPU's driver does for the global file only.
std::string with_host_and_process(std::string text) {
    replace_all(text, "%h", cubind::detail::host_name());
    replace_all(text, "%p", std::to_string(cubind::detail::process_id()));
    return text;
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
    const Valid<CurrentCheck> context;
    if (!is_known_to_contexts(attrib)) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(context->settings_mutex);
    return context->coredump.get(attrib, value, size, machine().release);
}

CUresult sim_cuCoredumpGetAttributeGlobal(CUcoredumpSettings attrib, void* value, std::size_t* size) {
    GlobalCoredumpSettings& global = machine().coredump;
    if (!is_known(attrib)) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(global.mutex);
    return global.settings.get(attrib, value, size, machine().release);
}

CUresult sim_cuCoredumpSetAttribute(CUcoredumpSettings attrib, void* value, std::size_t* size) {
    const Valid<CurrentCheck> context;
    if (!is_known_to_contexts(attrib)) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(context->settings_mutex);
    return context->coredump.set(attrib, value, size, machine().release);
}

CUresult sim_cuCoredumpSetAttributeGlobal(CUcoredumpSettings attrib, void* value, std::size_t* size) {
    GlobalCoredumpSettings& global = machine().coredump;
    if (!is_known(attrib)) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(global.mutex);
    if (attrib != CU_COREDUMP_FILE || value == nullptr) return global.settings.set(attrib, value, size, machine().release);
    const std::string file = with_host_and_process(static_cast<const char*>(value));
    return global.settings.set(attrib, file.c_str(), size, machine().release);
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

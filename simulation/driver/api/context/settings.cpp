// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <simulation/functions.hpp>

#include "machine/check.hpp"
#include "machine/unsafe_call.hpp"
#include "objects/device/attributes.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr std::size_t max_stack = 512 << 10;  // bytes of local memory of a thread
constexpr std::size_t stack_granularity = 16;
constexpr std::size_t min_printf_buffer = 512 << 10;
constexpr std::size_t max_fetch_granularity = 128;

// Current devices do not support synchronization of launches by device code, so there is no depth to limit. There are no graphics
// contexts, whose kernels could have less shared memory.
CUresult check_limit(CUlimit limit) {
    constexpr int first_release_of_block_memory = 13040;
    if (limit >= CU_LIMIT_MAX) return CUDA_ERROR_INVALID_VALUE;
    if (limit == CU_LIMIT_PER_BLOCK_MEMORY_SIZE && machine().release < first_release_of_block_memory) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const bool is_unsupported = limit == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH || limit == CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED;
    return is_unsupported ? CUDA_ERROR_UNSUPPORTED_LIMIT : CUDA_SUCCESS;
}

std::size_t max_persisting_cache(const Device& device) {
    return static_cast<std::size_t>(device_attribute(device, CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE));
}

// Every context can map host memory. A GPU's driver does not say so of a context whose flags enable core dumps, and names either
// flag as CU_CTX_COREDUMP_ENABLE.
unsigned reported_flags(unsigned flags) {
    constexpr unsigned core_dumps = CU_CTX_COREDUMP_ENABLE | CU_CTX_USER_COREDUMP_ENABLE;
    return (flags & core_dumps) == 0 ? flags | CU_CTX_MAP_HOST : (flags & ~core_dumps) | CU_CTX_COREDUMP_ENABLE;
}

}  // namespace

extern "C" {

// Succeeds after a fault, too.
CUresult sim_cuCtxGetFlags(unsigned int* flags) {
    const CurrentCheck context;
    const bool is_usable = context.context != nullptr && context->is_alive();
    return is_usable ? write_output(flags, reported_flags(context->flags.load())) : context.status;
}

CUresult sim_cuCtxSetFlags(unsigned int flags) {
    const Valid<CurrentCheck> context;
    if (!are_context_flags_valid(flags)) return CUDA_ERROR_INVALID_VALUE;
    context->flags.store(flags);
    return CUDA_SUCCESS;
}

// A green context has its own ID.
CUresult sim_cuCtxGetId(CUcontext ctx, unsigned long long* ctxId) {
    if (ctx == nullptr) {
        const Valid<CurrentCheck> current;
        return write_output(ctxId, context_stack().back().id());
    }
    const Valid<ContextCheck> context(ctx);
    return write_output(ctxId, context.found.id());
}

CUresult sim_cuCtxGetApiVersion(CUcontext ctx, unsigned int* version) {
    if (ctx == nullptr) {
        const Valid<CurrentCheck> current;
        return write_output(version, current->version);
    }
    const Valid<ContextCheck> context(ctx);
    return write_output(version, context->version);
}

CUresult sim_cuCtxGetLimit(std::size_t* pvalue, CUlimit limit) {
    const Valid<CurrentCheck> context;
    if (pvalue == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult status = check_limit(limit)) return status;
    const std::lock_guard lock(context->settings_mutex);
    return write_output(pvalue, context->limits[limit]);
}

CUresult sim_cuCtxSetLimit(CUlimit limit, std::size_t value) {
    const Valid<CurrentCheck> context;
    if (const CUresult status = check_limit(limit)) return status;
    if (limit == CU_LIMIT_STACK_SIZE) {
        if (value > max_stack) return CUDA_ERROR_INVALID_VALUE;
        value = (value + stack_granularity - 1) / stack_granularity * stack_granularity;
    } else if (limit == CU_LIMIT_PRINTF_FIFO_SIZE) {
        value = std::max(value, min_printf_buffer);
    } else if (limit == CU_LIMIT_MAX_L2_FETCH_GRANULARITY) {
        if (value > max_fetch_granularity) return CUDA_ERROR_INVALID_VALUE;
    } else if (limit == CU_LIMIT_PERSISTING_L2_CACHE_SIZE) {
        if (value > max_persisting_cache(context->device)) return CUDA_ERROR_INVALID_VALUE;
    }
    const std::lock_guard lock(context->settings_mutex);
    context->limits[limit] = value;
    return CUDA_SUCCESS;
}

CUresult sim_cuCtxGetCacheConfig(CUfunc_cache* pconfig) {
    const Valid<CurrentCheck> context;
    const std::lock_guard lock(context->settings_mutex);
    return write_output(pconfig, context->cache);
}

CUresult sim_cuCtxSetCacheConfig(CUfunc_cache config) {
    const Valid<CurrentCheck> context;
    if (config > CU_FUNC_CACHE_PREFER_EQUAL) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(context->settings_mutex);
    context->cache = config;
    return CUDA_SUCCESS;
}

CUresult sim_cuCtxGetSharedMemConfig(CUsharedconfig* pConfig) {
    const Valid<CurrentCheck> context;
    const std::lock_guard lock(context->settings_mutex);
    return write_output(pConfig, context->shared_memory);
}

CUresult sim_cuCtxSetSharedMemConfig(CUsharedconfig config) {
    const Valid<CurrentCheck> context;
    if (config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE) return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;  // no effect on current devices
}

CUresult sim_cuCtxResetPersistingL2Cache() {
    const CurrentCheck context;
    return context.status;
}

CUresult sim_cuCtxGetDevice_v2(CUdevice* device, CUcontext ctx) {
    if (ctx == nullptr) return sim_cuCtxGetDevice(device);
    if (const CUresult status = check_initialized()) return status;
    const auto context = machine().contexts.find(ctx);
    return context != nullptr ? write_output(device, context->device.ordinal) : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult sim_cuCtxSynchronize_v2(CUcontext ctx) {
    if (ctx == nullptr) return sim_cuCtxSynchronize();
    const Valid<ContextCheck> context(ctx);
    if (!context->is_alive()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    if (const CUresult status = check_context_wait(*context)) return status;
    context->order.wait();
    return context->device.fault();
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim

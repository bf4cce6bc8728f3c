// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/context/context.hpp"

#include <utility>

#include "support/registry.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

Context::Context(CUcontext own_handle, Device& own_device, MemoryMap& own_memory, unsigned own_flags, unsigned own_version,
                 CoredumpSettings own_coredump)
    : handle(own_handle),
      device(own_device),
      memory(own_memory),
      version(own_version),
      id(new_handle_value() / 16),
      flags(own_flags),
      order(*this),
      coredump(std::move(own_coredump)) {
    reset_settings();
}

unsigned long long id_of(const Context& context) noexcept {
    return context.id;
}

void Context::reset_settings() {
    cache = CU_FUNC_CACHE_PREFER_NONE;
    shared_memory = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    peers.clear();
    limits = {};
    limits[CU_LIMIT_STACK_SIZE] = 1024;
    limits[CU_LIMIT_PRINTF_FIFO_SIZE] = 8650752;
    limits[CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20;
    limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048;
    limits[CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64;
    limits[CU_LIMIT_PERSISTING_L2_CACHE_SIZE] = 11796480;
    limits[CU_LIMIT_SHMEM_SIZE] = 232448;
}

void Context::reactivate(CoredumpSettings new_coredump) {
    const std::lock_guard lock(settings_mutex);
    reset_settings();
    coredump = std::move(new_coredump);
    alive_.store(true, std::memory_order_release);
}

void Context::deactivate(std::chrono::seconds time_of_kernels) noexcept {
    if (!is_alive()) return;
    end_of_kernels_.store(Clock::now() + time_of_kernels);
    alive_.store(false, std::memory_order_release);
}

bool is_primary(const Context& context) {
    const std::lock_guard lock(context.device.primary_mutex);
    return context.device.primary.get() == &context;
}

}  // namespace CUBIND_NAMESPACE::sim

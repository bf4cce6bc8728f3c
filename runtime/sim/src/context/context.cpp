// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "context/context.hpp"

#include "capture/capture.hpp"
#include "machine/machine.hpp"

namespace CUBIND_NAMESPACE::sim {

Context::Context(CUcontext own_handle, Device& own_device, unsigned own_flags, unsigned own_version)
    : handle(own_handle),
      device(own_device),
      version(own_version),
      id(new_handle_value() / 16),
      flags(own_flags),
      order(*this),
      limits{} {
    limits[CU_LIMIT_STACK_SIZE] = 1024;
    limits[CU_LIMIT_PRINTF_FIFO_SIZE] = 8650752;
    limits[CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20;
    limits[CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048;
    limits[CU_LIMIT_MAX_L2_FETCH_GRANULARITY] = 64;
    limits[CU_LIMIT_PERSISTING_L2_CACHE_SIZE] = 11796480;
    limits[CU_LIMIT_SHMEM_SIZE] = 232448;
}

void Context::shut_down() {
    deactivate();
    order.finish();
    end_captures(*this);
    const auto is_mine = [this](const auto& object) { return object.context.get() == this; };
    machine().streams.remove_if(is_mine);
    machine().events.remove_if(is_mine);
    machine().textures.remove_if(is_mine);
    machine().surfaces.remove_if(is_mine);
    machine().mipmapped_arrays.remove_if(is_mine);
    machine().arrays.remove_if(is_mine);
    machine().functions.remove_if(is_mine);
    machine().modules.remove_if(is_mine);
    machine().memory.remove_all_of(handle);
    order.close();
}

}  // namespace CUBIND_NAMESPACE::sim

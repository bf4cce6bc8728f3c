// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/pointer_attributes.hpp>
#include <cubind/driver/unified_addressing.hpp>

#include <cstring>

#include "support/driver.hpp"

namespace cubind {
namespace {

// What is asked for, in this order.
constexpr driver::CUpointer_attribute questions[] = {driver::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                                     driver::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                                     driver::CU_POINTER_ATTRIBUTE_CONTEXT,
                                                     driver::CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                                     driver::CU_POINTER_ATTRIBUTE_HOST_POINTER,
                                                     driver::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                                     driver::CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                                     driver::CU_POINTER_ATTRIBUTE_BUFFER_ID,
                                                     driver::CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                                     driver::CU_POINTER_ATTRIBUTE_MAPPED,
                                                     driver::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS,
                                                     driver::CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE,
                                                     driver::CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE,
                                                     driver::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE,
                                                     driver::CU_POINTER_ATTRIBUTE_ACCESS_FLAGS};
constexpr std::size_t question_count = sizeof questions / sizeof *questions;

/// The answers. The driver writes one, four or eight bytes of each.
class Answers {
public:
    explicit Answers(driver::CUdeviceptr pointer) {
        driver::CUpointer_attribute asked[question_count];
        void* places[question_count];
        for (std::size_t i = 0; i < question_count; ++i) {
            asked[i] = questions[i];
            places[i] = &values_[i];
        }
        check(driver::cuPointerGetAttributes(question_count, asked, places, pointer));
    }

    template <class Value>
    Value get(driver::CUpointer_attribute which) const {
        std::size_t place = 0;
        while (questions[place] != which) ++place;
        Value value;
        std::memcpy(&value, &values_[place], sizeof value);
        return value;
    }
    bool is(driver::CUpointer_attribute which) const { return get<std::uint64_t>(which) != 0; }

private:
    std::uint64_t values_[question_count] = {};
};

MemoryType kind_of(const Answers& answers) {
    if (answers.is(driver::CU_POINTER_ATTRIBUTE_IS_MANAGED)) return MemoryType::managed;
    switch (answers.get<unsigned int>(driver::CU_POINTER_ATTRIBUTE_MEMORY_TYPE)) {
        case driver::CU_MEMORYTYPE_HOST:
            return MemoryType::host;
        case 0:
            return MemoryType::unregistered;
        default:
            return MemoryType::device;
    }
}

}  // namespace

PointerAttributes PointerAttributes::of(driver::CUdeviceptr pointer) {
    (void)Device::count();  // starts the driver
    const Answers answers(pointer);
    PointerAttributes found;
    found.kind = kind_of(answers);
    if (const int ordinal = answers.get<int>(driver::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
        found.kind != MemoryType::unregistered && ordinal >= 0) {
        found.device = Device(ordinal);
    }
    found.context = answers.get<driver::CUcontext>(driver::CU_POINTER_ATTRIBUTE_CONTEXT);
    found.device_pointer = answers.get<driver::CUdeviceptr>(driver::CU_POINTER_ATTRIBUTE_DEVICE_POINTER);
    found.host_pointer = answers.get<void*>(driver::CU_POINTER_ATTRIBUTE_HOST_POINTER);
    found.allocation = answers.get<driver::CUdeviceptr>(driver::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR);
    found.allocation_size = answers.get<std::size_t>(driver::CU_POINTER_ATTRIBUTE_RANGE_SIZE);
    found.id = answers.get<unsigned long long>(driver::CU_POINTER_ATTRIBUTE_BUFFER_ID);
    found.is_managed = found.kind == MemoryType::managed;
    found.is_mapped = answers.is(driver::CU_POINTER_ATTRIBUTE_MAPPED);
    found.synchronizes_memory_operations = answers.is(driver::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS);
    found.is_legacy_ipc_capable = answers.is(driver::CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE);
    found.is_gpu_direct_rdma_capable = answers.is(driver::CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE);
    found.pool = answers.get<driver::CUmemoryPool>(driver::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE);
    found.access = static_cast<driver::CUmemAccess_flags>(answers.get<unsigned int>(driver::CU_POINTER_ATTRIBUTE_ACCESS_FLAGS));
    return found;
}

}  // namespace cubind

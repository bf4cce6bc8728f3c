// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/driver/unified_addressing.hpp>

#include <cstring>

#include "calls/driver.hpp"
#include "device/device_table.hpp"

namespace CUBIND_NAMESPACE {
namespace {

// The queried attributes, in this order.
constexpr driver::CUpointer_attribute attribute_list[] = {driver::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
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
constexpr std::size_t attribute_count = sizeof attribute_list / sizeof *attribute_list;

/// The values of the attributes. The driver writes one, four or eight bytes of each.
class AttributeValues {
public:
    explicit AttributeValues(driver::CUdeviceptr pointer) {
        driver::CUpointer_attribute queried[attribute_count];
        void* destinations[attribute_count];
        for (std::size_t i = 0; i < attribute_count; ++i) {
            queried[i] = attribute_list[i];
            destinations[i] = &values_[i];
        }
        check(driver::cuPointerGetAttributes(attribute_count, queried, destinations, pointer));
    }

    template <class Value>
    Value get(driver::CUpointer_attribute which) const {
        std::size_t index = 0;
        while (attribute_list[index] != which) ++index;
        Value value;
        std::memcpy(&value, &values_[index], sizeof value);
        return value;
    }
    bool is(driver::CUpointer_attribute which) const { return get<std::uint64_t>(which) != 0; }

private:
    std::uint64_t values_[attribute_count] = {};
};

// cuPointerGetAttributes does not have this attribute, so it takes a call of its own, which devices with one domain do not need.
std::optional<int> domain_of(Device device, driver::CUdeviceptr pointer) {
    auto& entry = detail::DeviceTable::get().at(device.ordinal());
    if (entry.attribute(driver::CU_DEVICE_ATTRIBUTE_LOCALITY_DOMAIN_COUNT) <= 1) return std::nullopt;
    int domain = -1;
    check(driver::cuPointerGetAttribute(&domain, driver::CU_POINTER_ATTRIBUTE_LOCALITY_DOMAIN_ORDINAL, pointer));
    return domain < 0 ? std::nullopt : std::optional(domain);
}

MemoryType kind_of(const AttributeValues& values) {
    if (values.is(driver::CU_POINTER_ATTRIBUTE_IS_MANAGED)) return MemoryType::managed;
    switch (values.get<unsigned int>(driver::CU_POINTER_ATTRIBUTE_MEMORY_TYPE)) {
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
    (void)Device::count();  // initializes the driver
    const AttributeValues values(pointer);
    PointerAttributes found;
    found.kind = kind_of(values);
    if (const int ordinal = values.get<int>(driver::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
        found.kind != MemoryType::unregistered && ordinal >= 0) {
        found.device = Device(ordinal);
        if (found.kind == MemoryType::device) found.locality_domain = domain_of(*found.device, pointer);
    }
    found.context = values.get<driver::CUcontext>(driver::CU_POINTER_ATTRIBUTE_CONTEXT);
    found.device_pointer = values.get<driver::CUdeviceptr>(driver::CU_POINTER_ATTRIBUTE_DEVICE_POINTER);
    found.host_pointer = values.get<void*>(driver::CU_POINTER_ATTRIBUTE_HOST_POINTER);
    found.allocation = values.get<driver::CUdeviceptr>(driver::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR);
    found.allocation_size = values.get<std::size_t>(driver::CU_POINTER_ATTRIBUTE_RANGE_SIZE);
    found.id = values.get<unsigned long long>(driver::CU_POINTER_ATTRIBUTE_BUFFER_ID);
    found.is_managed = found.kind == MemoryType::managed;
    found.is_mapped = values.is(driver::CU_POINTER_ATTRIBUTE_MAPPED);
    found.synchronizes_memory_operations = values.is(driver::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS);
    found.is_legacy_ipc_capable = values.is(driver::CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE);
    found.is_gpu_direct_rdma_capable = values.is(driver::CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE);
    found.pool = values.get<driver::CUmemoryPool>(driver::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE);
    found.access = static_cast<driver::CUmemAccess_flags>(values.get<unsigned int>(driver::CU_POINTER_ATTRIBUTE_ACCESS_FLAGS));
    return found;
}

}  // namespace CUBIND_NAMESPACE

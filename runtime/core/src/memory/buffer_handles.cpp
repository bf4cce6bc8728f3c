// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device_properties.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/file_descriptor.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/core/memory/registered_host_memory.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/driver/unified_addressing.hpp>

#include "calls/driver.hpp"
#include "device/context_guard.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/refusals.hpp"
#include "platform/pages.hpp"

/// Handles and settings of memory for the drivers of other devices.
namespace CUBIND_NAMESPACE {

namespace {

void set_synchronization(driver::CUdeviceptr address, bool value) {
    const unsigned int number = value ? 1 : 0;
    const detail::ContextGuard context;
    const auto set = driver::cuPointerSetAttribute(&number, driver::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, address);
    if (!set.ok())
        detail::throw_with_advice(set, "the memory must be of the driver, and not virtual memory, which has no such setting");
}

}  // namespace

void Buffer::set_synchronizes_memory_operations(bool value) {
    if (size() != 0) set_synchronization(pointer_, value);
}

void RegisteredHostMemory::set_synchronizes_memory_operations(bool value) {
    if (size() != 0) set_synchronization(reinterpret_cast<driver::CUdeviceptr>(data()), value);
}

FileDescriptor Buffer::dma_buf(DmaBufMapping mapping) const {
    check_open();
    const std::size_t page = detail::page_size();
    if (size_ == 0 || size_ % page != 0 || pointer_ % page != 0) {
        detail::throw_misuse(detail::bytes_at(size_, pointer_), " cannot be a DMA buffer: address and size must be multiples of ",
                             page, " bytes, the page size of the host");
    }
    const auto own_device = device();
    const Device owner = own_device ? *own_device : Device();
    const DeviceProperties has = owner.properties();
    if (!(own_device ? has.dma_buf_supported() : has.host_alloc_dma_buf_supported())) {
        detail::throw_not_supported("cuMemGetHandleForAddressRange",
                                    detail::concat("DMA buffers require the attribute ",
                                                   own_device ? "DMA_BUF_SUPPORTED" : "HOST_ALLOC_DMA_BUF_SUPPORTED",
                                                   ", which device ", owner.ordinal(), " does not have"));
    }
    int descriptor = -1;
    const detail::ContextGuard context;
    const detail::RelaxedCaptureMode mode;
    const auto exported = driver::cuMemGetHandleForAddressRange(
        &descriptor, pointer_, size_, driver::CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD, static_cast<unsigned long long>(mapping));
    if (!exported.ok()) {
        detail::throw_with_advice(exported, "the memory must be of cuMemAlloc, or virtual memory that is mapped completely");
    }
    return FileDescriptor::from_native_handle(descriptor);
}

}  // namespace CUBIND_NAMESPACE

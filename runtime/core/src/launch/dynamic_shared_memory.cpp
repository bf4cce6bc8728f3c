// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "launch/dynamic_shared_memory.hpp"

#include <cubind/core/device/device.hpp>
#include <cubind/driver/library.hpp>

#include <limits>

#include "calls/driver.hpp"
#include "device/device_table.hpp"

namespace CUBIND_NAMESPACE::detail {

void DynamicSharedMemoryLimit::prepare(StreamRef stream, driver::CUkernel kernel, std::size_t size) {
    const DeviceTable& devices = DeviceTable::get();
    prepare(devices.size() == 1 ? 0 : stream.device().ordinal(), kernel, size);
}

void DynamicSharedMemoryLimit::prepare(int ordinal, driver::CUkernel kernel, std::size_t size) {
    constexpr unsigned int max_size = std::numeric_limits<unsigned int>::max();
    if (size > max_size) {
        throw_misuse("LaunchConfig::shared_memory_size is ", size, " bytes, but a launch can request at most ", max_size,
                     " bytes");
    }
    DeviceEntry& device = DeviceTable::get().at(ordinal);
    const std::uint64_t bit = device.ordinal() < 64 ? std::uint64_t{1} << device.ordinal() : 0;
    if ((raised_on_.load(std::memory_order_acquire) & bit) != 0) return;

    const int static_size =
        check(driver::cuKernelGetAttribute(driver::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel, device.handle()));
    const auto dynamic_limit = [&](driver::CUdevice_attribute block_limit) {
        const int total = device.attribute(block_limit);
        return total > static_size ? static_cast<unsigned int>(total - static_size) : 0u;
    };
    const unsigned int default_limit = dynamic_limit(driver::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    record_default_limit(default_limit);
    const unsigned int max_limit = dynamic_limit(driver::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    if (size <= default_limit || size > max_limit) return;
    check(driver::cuKernelSetAttribute(driver::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(max_limit),
                                       kernel, device.handle()));
    raised_on_.fetch_or(bit, std::memory_order_release);
}

void DynamicSharedMemoryLimit::record_default_limit(unsigned int size) noexcept {
    unsigned int known = default_limit_.load(std::memory_order_relaxed);
    while ((known == 0 || size < known) && !default_limit_.compare_exchange_weak(known, size, std::memory_order_relaxed)) {
    }
}

}  // namespace CUBIND_NAMESPACE::detail

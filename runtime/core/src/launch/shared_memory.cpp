// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "launch/shared_memory.hpp"

#include <cubind/core/device.hpp>
#include <cubind/driver/library.hpp>

#include <limits>

#include "device/device_table.hpp"
#include "support/driver.hpp"

namespace cubind::detail {

void SharedMemoryAllowance::prepare(StreamRef stream, driver::CUkernel kernel, std::size_t size) {
    if (size > std::numeric_limits<unsigned int>::max()) {
        throw_misuse("a launch with ", size, " bytes of dynamic shared memory is not possible: no device has so much");
    }
    DeviceTable& devices = DeviceTable::get();
    DeviceEntry& device = devices.at(devices.size() == 1 ? 0 : stream.device().ordinal());
    const std::uint64_t bit = device.ordinal() < 64 ? std::uint64_t{1} << device.ordinal() : 0;
    if ((allowed_on_.load(std::memory_order_acquire) & bit) != 0) return;

    const int fixed = check(driver::cuKernelGetAttribute(driver::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel, device.handle()));
    const auto left_of = [&](driver::CUdevice_attribute limit) {
        const int all = device.attribute(limit);
        return all > fixed ? static_cast<unsigned int>(all - fixed) : 0u;
    };
    const unsigned int usual = left_of(driver::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    note_usual(usual);
    const unsigned int most = left_of(driver::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    if (size <= usual || size > most) return;
    check(driver::cuKernelSetAttribute(driver::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(most), kernel,
                                       device.handle()));
    allowed_on_.fetch_or(bit, std::memory_order_release);
}

void SharedMemoryAllowance::note_usual(unsigned int size) noexcept {
    unsigned int known = usual_.load(std::memory_order_relaxed);
    while ((known == 0 || size < known) && !usual_.compare_exchange_weak(known, size, std::memory_order_relaxed)) {
    }
}

}  // namespace cubind::detail

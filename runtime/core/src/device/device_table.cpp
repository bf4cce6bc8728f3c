// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "device/device_table.hpp"

#include <cubind/driver/device.hpp>
#include <cubind/driver/initialize.hpp>
#include <cubind/driver/primary_context.hpp>

#include "support/driver.hpp"

namespace CUBIND_NAMESPACE::detail {

// ---- one device ----------------------------------------------------------------------------------------------------------

driver::CUcontext DeviceEntry::primary_context() {
    if (const driver::CUcontext known = primary_.load(std::memory_order_acquire)) return known;
    const std::lock_guard lock(primary_mutex_);
    if (primary_.load(std::memory_order_relaxed) == nullptr) {
        primary_.store(check(driver::cuDevicePrimaryCtxRetain(handle_)), std::memory_order_release);
    }
    return primary_.load(std::memory_order_relaxed);
}

int DeviceEntry::attribute(driver::CUdevice_attribute which) {
    {
        const std::shared_lock lock(attributes_mutex_);
        if (const auto known = attributes_.find(which); known != attributes_.end()) return known->second;
    }
    const auto asked = driver::cuDeviceGetAttribute(which, handle_);
    // A driver older than the attribute returns this status; it does not have the feature then.
    if (asked.status == driver::CUDA_ERROR_INVALID_VALUE) return 0;
    const int value = detail::check_latest(asked);
    const std::unique_lock lock(attributes_mutex_);
    attributes_.emplace(which, value);
    return value;
}

// ---- all devices ---------------------------------------------------------------------------------------------------------

DeviceTable& DeviceTable::get() {
    static DeviceTable* const table = new DeviceTable;  // never destroyed
    return *table;
}

DeviceTable::DeviceTable() {
    check(driver::cuInit(0));
    size_ = check(driver::cuDeviceGetCount());
    entries_ = std::make_unique<DeviceEntry[]>(static_cast<std::size_t>(size_));
    for (int ordinal = 0; ordinal < size_; ++ordinal) {
        entries_[static_cast<std::size_t>(ordinal)].handle_ = check(driver::cuDeviceGet(ordinal));
        entries_[static_cast<std::size_t>(ordinal)].ordinal_ = ordinal;
    }
}

DeviceEntry& DeviceTable::at(int ordinal) {
    if (ordinal < 0 || ordinal >= size_) {
        if (size_ == 0) throw_misuse("there is no device ", ordinal, ": the driver found none (is CUDA_VISIBLE_DEVICES empty?)");
        throw_misuse("there is no device ", ordinal, ": the process can use ", size_, ", numbered from 0");
    }
    return entries_[static_cast<std::size_t>(ordinal)];
}

}  // namespace CUBIND_NAMESPACE::detail

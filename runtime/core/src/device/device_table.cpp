// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "device/device_table.hpp"

#include <cubind/core/device/device_properties.hpp>
#include <cubind/detail/initialization.hpp>
#include <cubind/driver/device.hpp>
#include <cubind/driver/initialize.hpp>
#include <cubind/driver/primary_context.hpp>
#include <cubind/driver/version.hpp>

#include "calls/driver.hpp"
#include "lifetime/known_contexts.hpp"

namespace CUBIND_NAMESPACE::detail {

// ---- one device ----------------------------------------------------------------------------------------------------------

driver::CUcontext DeviceEntry::primary_context() {
    const driver::CUcontext known = primary_.load(std::memory_order_acquire);
    if (known != nullptr && is_active()) return known;
    const std::lock_guard lock(primary_mutex_);
    const driver::CUcontext previous = primary_.load(std::memory_order_relaxed);
    if (previous != nullptr && is_active()) return previous;
    const driver::CUcontext retained = check(driver::cuDevicePrimaryCtxRetain(handle_));
    if (previous != nullptr) note_ended_context(previous);
    note_primary_context(handle_);  // if it throws, the next call retains the context again, which is never released anyway
    primary_.store(retained, std::memory_order_release);
    return retained;
}

void DeviceEntry::reset() {
    const std::lock_guard lock(primary_mutex_);
    check(driver::cuDevicePrimaryCtxReset(handle_));
    const driver::CUcontext ended = primary_.load(std::memory_order_relaxed);
    if (ended != nullptr) note_ended_context(ended);
}

// Any code of the process can reset the primary context, which discards all references to it.
bool DeviceEntry::is_active() const {
    return std::get<1>(check(driver::cuDevicePrimaryCtxGetState(handle_))) != 0;
}

int DeviceEntry::query_attribute(driver::CUdevice_attribute which) {
    // A driver that is older than the attribute does not have the feature, and rejects the query.
    const int since = DeviceProperties::since(which);
    const bool is_known = since == 0 || check(driver::cuDriverGetVersion()) >= since;
    const auto queried = is_known ? driver::cuDeviceGetAttribute(which, handle_) : Result<driver::CUresult, int>{};
    if (queried.status == driver::CUDA_ERROR_INVALID_VALUE) return 0;  // the release that added the attribute is unknown
    const int value = detail::check_latest(queried);
    const auto index = static_cast<std::size_t>(which);
    if (index < std::size(attributes_)) {
        attributes_[index].store(is_cached | static_cast<std::uint32_t>(value), std::memory_order_relaxed);
    }
    return value;
}

// ---- all devices ---------------------------------------------------------------------------------------------------------

constinit OncePerDriver<DeviceTable> DeviceTable::table_;

DeviceTable::DeviceTable() {
    check(driver::cuInit(0));
    note_initialization();
    size_ = check(driver::cuDeviceGetCount());
    entries_ = std::make_unique<DeviceEntry[]>(static_cast<std::size_t>(size_));
    for (int ordinal = 0; ordinal < size_; ++ordinal) {
        entries_[static_cast<std::size_t>(ordinal)].handle_ = check(driver::cuDeviceGet(ordinal));
        entries_[static_cast<std::size_t>(ordinal)].ordinal_ = ordinal;
    }
}

void DeviceTable::throw_no_device(int ordinal) const {
    if (size_ == 0) throw_misuse("there is no device ", ordinal, ": the driver found none (is CUDA_VISIBLE_DEVICES empty?)");
    throw_misuse("there is no device ", ordinal, ": the process can use ", size_, ", numbered from 0");
}

}  // namespace CUBIND_NAMESPACE::detail

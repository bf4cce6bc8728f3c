// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/testing/detail/test_device.hpp>
#include <cubind/error.hpp>

#include <exception>

namespace CUBIND_NAMESPACE::detail {

std::string TestDevice::begin(int ordinal) {
    try {
        if (const int count = Device::count(); ordinal >= count) {
            return "there is no device " + std::to_string(ordinal) + ": the process can use " + std::to_string(count);
        }
    } catch (const Error& error) {
        return error.what();
    }
    const Device device(ordinal);
    resource_.emplace(device.memory_resource());
    device.reset();
    device_.emplace(device);
    return {};
}

std::string TestDevice::end() {
    if (!device_) return {};
    try {
        device_->set_memory_resource(*resource_);
        device_->reset();
        return {};
    } catch (const std::exception& error) {
        return error.what();
    }
}

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <string_view>
#include <type_traits>

#include "state/device.hpp"

/// Writing of results, with the checks that all functions of one kind make.
namespace CUBIND_NAMESPACE::sim::management {

/// Writes a result.
template <class Value>
nvmlReturn_t write_output(Value* out, const std::type_identity_t<Value>& value) noexcept {
    if (out == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    *out = value;
    return NVML_SUCCESS;
}

/// Writes two results, both or none.
template <class First, class Second>
nvmlReturn_t write_outputs(First* first, const std::type_identity_t<First>& first_value, Second* second,
                           const std::type_identity_t<Second>& second_value) noexcept {
    if (first == nullptr || second == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    *first = first_value;
    *second = second_value;
    return NVML_SUCCESS;
}

/// Writes a text with its final NUL into `length` characters.
inline nvmlReturn_t write_text(std::string_view text, char* out, unsigned int length) noexcept {
    if (out == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    if (text.size() >= length) return NVML_ERROR_INSUFFICIENT_SIZE;
    std::memcpy(out, text.data(), text.size());
    out[text.size()] = '\0';
    return NVML_SUCCESS;
}

/// Writes a value that all devices have.
template <class Value>
nvmlReturn_t write_of_device(nvmlDevice_t device, Value* out, const std::type_identity_t<Value>& value) {
    const Valid<DeviceCheck> found(device);
    return write_output(out, value);
}

/// Writes two values that all devices have, both or none.
template <class First, class Second>
nvmlReturn_t write_of_device(nvmlDevice_t device, First* first, const std::type_identity_t<First>& first_value, Second* second,
                             const std::type_identity_t<Second>& second_value) {
    const Valid<DeviceCheck> found(device);
    return write_outputs(first, first_value, second, second_value);
}

/// Returns the status of a query for what an idle GPU of a server does not have, such as NVLink. Null results are reported first.
template <class... Results>
nvmlReturn_t refuse_for_device(nvmlDevice_t device, const Results*... results) {
    const Valid<DeviceCheck> found(device);
    return (... || (results == nullptr)) ? NVML_ERROR_INVALID_ARGUMENT : NVML_ERROR_NOT_SUPPORTED;
}

/// Checks a struct whose member `version` the caller sets.
template <class Struct>
nvmlReturn_t check_version(const Struct* value, unsigned int version) noexcept {
    if (value == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    return value->version == version ? NVML_SUCCESS : NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
}

/// Checks a device, and a struct whose member `version` the caller sets.
template <class Struct>
nvmlReturn_t check_version(const DeviceCheck& device, const Struct* value, unsigned int version) noexcept {
    return device.failed() ? device.status : check_version(value, version);
}

}  // namespace CUBIND_NAMESPACE::sim::management

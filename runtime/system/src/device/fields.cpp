// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Fields of a device, and what is read from fields.
#include <cubind/error.hpp>
#include <cubind/nvml/events.hpp>
#include <cubind/nvml/field_values.hpp>
#include <cubind/system/device.hpp>

#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::system {

using detail::checked;

namespace {

std::vector<nvml::nvmlFieldValue_t> native(const std::vector<FieldId>& fields) {
    std::vector<nvml::nvmlFieldValue_t> values(fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i) {
        values[i].fieldId = fields[i].id;
        values[i].scopeId = fields[i].scope;
    }
    return values;
}

}  // namespace

std::vector<FieldValue> Device::field_values(const std::vector<FieldId>& fields) const {
    if (fields.empty()) return {};
    std::vector<nvml::nvmlFieldValue_t> values = native(fields);
    checked(nvml::nvmlDeviceGetFieldValues(handle_, static_cast<int>(values.size()), values.data()));
    return {values.begin(), values.end()};
}

void Device::clear_field_values(const std::vector<FieldId>& fields) const {
    if (fields.empty()) return;
    std::vector<nvml::nvmlFieldValue_t> values = native(fields);
    checked(nvml::nvmlDeviceClearFieldValues(handle_, static_cast<int>(values.size()), values.data()));
    for (const nvml::nvmlFieldValue_t& each : values) {
        const nvml::nvmlReturn_t status = each.nvmlReturn;
        if (status == nvml::NVML_SUCCESS) continue;
        throw Error(
            Error("nvml", "nvmlDeviceClearFieldValues", static_cast<int>(status), nvml::to_string(status),
                  nvml::describe(status)),
            "Field " + std::to_string(each.fieldId) + " with scope " + std::to_string(each.scopeId) + " could not be cleared.");
    }
}

unsigned int Device::nvlink_count() const {
    const FieldValue count = field_values({nvml::NVML_FI_DEV_NVLINK_LINK_COUNT}).front();
    if (count.status() == nvml::NVML_ERROR_NOT_SUPPORTED) return 0;
    return static_cast<unsigned int>(count.as_unsigned());
}

std::vector<NvLink> Device::nvlinks() const {
    std::vector<NvLink> links;
    const unsigned int count = detail::checked_count(nvlink_count(), "nvmlDeviceGetFieldValues", "links of NVLink");
    for (unsigned int i = 0; i < count; ++i) links.push_back(nvlink(i));
    return links;
}

Flags<EventType> Device::supported_event_types() const {
    return Flags<EventType>(checked(nvml::nvmlDeviceGetSupportedEventTypes(handle_)));
}

}  // namespace CUBIND_NAMESPACE::system

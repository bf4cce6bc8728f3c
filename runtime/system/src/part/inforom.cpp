// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/device_queries.hpp>
#include <cubind/system/inforom.hpp>

#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::system {

using detail::checked;
using detail::text_of;

std::string Inforom::version(InforomObject object) const {
    return text_of<nvml::NVML_DEVICE_INFOROM_VERSION_BUFFER_SIZE>([&](char* buffer, unsigned int size) {
        return nvml::nvmlDeviceGetInforomVersion(device_, static_cast<nvml::nvmlInforomObject_t>(object), buffer, size);
    });
}

std::string Inforom::image_version() const {
    return text_of<nvml::NVML_DEVICE_INFOROM_VERSION_BUFFER_SIZE>(
        [&](char* buffer, unsigned int size) { return nvml::nvmlDeviceGetInforomImageVersion(device_, buffer, size); });
}

unsigned int Inforom::configuration_checksum() const {
    return checked(nvml::nvmlDeviceGetInforomConfigurationChecksum(device_));
}

void Inforom::validate() const {
    checked(nvml::nvmlDeviceValidateInforom(device_));
}

std::chrono::microseconds Inforom::last_flush_time() const {
    const auto [timestamp, duration] = checked(nvml::nvmlDeviceGetLastBBXFlushTime(device_));
    return std::chrono::microseconds(timestamp);
}

std::chrono::microseconds Inforom::last_flush_duration() const {
    const auto [timestamp, duration] = checked(nvml::nvmlDeviceGetLastBBXFlushTime(device_));
    return std::chrono::microseconds(duration);
}

std::string Inforom::board_part_number() const {
    return text_of<nvml::NVML_DEVICE_PART_NUMBER_BUFFER_SIZE>(
        [&](char* buffer, unsigned int size) { return nvml::nvmlDeviceGetBoardPartNumber(device_, buffer, size); });
}

}  // namespace CUBIND_NAMESPACE::system

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/system/detail/device_part.hpp>
#include <cubind/system/values.hpp>

#include <string>

namespace CUBIND_NAMESPACE::system {

/// The memory for configuration and error records on the board of a device, from Device::inforom(). Each query throws Error, with
/// NVML_ERROR_NOT_SUPPORTED if the board does not have it.
class CUBIND_EXPORT Inforom : detail::DevicePart {
public:
    using DevicePart::DevicePart;

    /// Returns the version of a part, such as "2.1" (nvmlDeviceGetInforomVersion).
    [[nodiscard]] std::string version(InforomObject object) const;
    /// Returns the version of the whole image, such as "G520.0200.00.05" (nvmlDeviceGetInforomImageVersion).
    [[nodiscard]] std::string image_version() const;
    /// Returns the checksum of the configuration; boards with the same configuration have the same checksum
    /// (nvmlDeviceGetInforomConfigurationChecksum).
    [[nodiscard]] unsigned int configuration_checksum() const;
    /// Reads the whole content and checks it. Throws Error with NVML_ERROR_CORRUPTED_INFOROM if it is damaged
    /// (nvmlDeviceValidateInforom).
    void validate() const;
    /// Returns when records of errors were last written to the board, as the device's time since 1970
    /// (nvmlDeviceGetLastBBXFlushTime, since CUDA 12.3).
    [[nodiscard]] std::chrono::microseconds last_flush_time() const;
    /// Returns how long that took (nvmlDeviceGetLastBBXFlushTime, since CUDA 12.3).
    [[nodiscard]] std::chrono::microseconds last_flush_duration() const;
    /// Returns the part number of the board (nvmlDeviceGetBoardPartNumber).
    [[nodiscard]] std::string board_part_number() const;
};

}  // namespace CUBIND_NAMESPACE::system

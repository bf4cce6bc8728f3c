// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nvml/constants.hpp>
#include <cubind/nvml/types.hpp>

#include <chrono>

namespace CUBIND_NAMESPACE::system {

/// A quantity that Device::field_values() reads: nvml::NVML_FI_DEV_MEMORY_TEMP, for example. Some fields need a scope, such as
/// the index of an NVLink.
struct FieldId {
    /// Selects a field of NVML; implicit, so that lists of nvml::NVML_FI_... are lists of fields.
    constexpr FieldId(int field_id, unsigned int field_scope = 0) noexcept
        : id(static_cast<unsigned int>(field_id)), scope(field_scope) {}

    unsigned int id;     ///< nvml::NVML_FI_...
    unsigned int scope;  ///< index of a link or another part; 0 for the whole device
};

/// The value of a field. Each value has its own status, because a device may lack some of the fields of a batch.
class CUBIND_EXPORT FieldValue {
public:
    /// Creates a value from NVML's.
    explicit FieldValue(const nvml::nvmlFieldValue_t& value) noexcept : value_(value) {}

    /// Returns which field this is.
    [[nodiscard]] FieldId id() const noexcept { return {static_cast<int>(value_.fieldId), value_.scopeId}; }
    /// Returns whether the device has the value. If not, status() states why, and the conversions throw.
    [[nodiscard]] bool is_available() const noexcept { return value_.nvmlReturn == nvml::NVML_SUCCESS; }
    /// Returns the status of this field.
    [[nodiscard]] nvml::nvmlReturn_t status() const noexcept { return value_.nvmlReturn; }
    /// Returns when the value was measured, since 1970.
    [[nodiscard]] std::chrono::microseconds timestamp() const noexcept { return std::chrono::microseconds(value_.timestamp); }
    /// Returns how long it took to read the value.
    [[nodiscard]] std::chrono::microseconds latency() const noexcept { return std::chrono::microseconds(value_.latencyUsec); }
    /// Returns the value as NVML wrote it.
    [[nodiscard]] const nvml::nvmlFieldValue_t& native() const noexcept { return value_; }

    /// Returns the value as a number, rounded if it has more than 53 bits. Throws Error if it is not available.
    [[nodiscard]] double as_double() const;
    /// Returns an integral value. Throws Error if it is not available, and std::invalid_argument if the value is a floating-point
    /// number or too large.
    [[nodiscard]] long long as_integer() const;
    /// Returns an integral value. Throws Error if it is not available, and std::invalid_argument if the value is a floating-point
    /// number or negative.
    [[nodiscard]] unsigned long long as_unsigned() const;

private:
    nvml::nvmlFieldValue_t value_;
};

}  // namespace CUBIND_NAMESPACE::system

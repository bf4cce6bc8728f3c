// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/error.hpp>
#include <cubind/nvml/status.hpp>
#include <cubind/system/field_value.hpp>

#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace CUBIND_NAMESPACE::system {
namespace {

void check_available(const nvml::nvmlFieldValue_t& value) {
    const nvml::nvmlReturn_t status = value.nvmlReturn;
    if (status == nvml::NVML_SUCCESS) return;
    throw Error(
        Error("nvml", "nvmlDeviceGetFieldValues", static_cast<int>(status), nvml::to_string(status), nvml::describe(status)),
        "Field " + std::to_string(value.fieldId) + " with scope " + std::to_string(value.scopeId) +
            " has no value; ask is_available() first.");
}

[[noreturn]] void throw_unrepresentable(const nvml::nvmlFieldValue_t& value, const char* why) {
    throw std::invalid_argument("field " + std::to_string(value.fieldId) + " of NVML has " + why);
}

// Calls `use` with the member of the union that has the value.
template <class Use>
auto visit(const nvml::nvmlFieldValue_t& value, Use use) {
    check_available(value);
    switch (value.valueType) {
        case nvml::NVML_VALUE_TYPE_DOUBLE:
            return use(value.value.dVal);
        case nvml::NVML_VALUE_TYPE_UNSIGNED_INT:
            return use(value.value.uiVal);
        case nvml::NVML_VALUE_TYPE_UNSIGNED_LONG:
            return use(value.value.ulVal);
        case nvml::NVML_VALUE_TYPE_UNSIGNED_LONG_LONG:
            return use(value.value.ullVal);
        case nvml::NVML_VALUE_TYPE_SIGNED_LONG_LONG:
            return use(value.value.sllVal);
        case nvml::NVML_VALUE_TYPE_SIGNED_INT:
            return use(value.value.siVal);
        case nvml::NVML_VALUE_TYPE_UNSIGNED_SHORT:
            return use(value.value.usVal);
        default:
            throw_unrepresentable(value, "a type that this version of cubind does not know: read native() instead");
    }
}

template <class Integer>
Integer integer_of(const nvml::nvmlFieldValue_t& value) {
    return visit(value, [&](auto number) -> Integer {
        if constexpr (std::is_floating_point_v<decltype(number)>) {
            throw_unrepresentable(value, "a floating-point value: use as_double()");
        } else {
            if (!std::in_range<Integer>(number)) {
                throw_unrepresentable(value, std::is_signed_v<Integer> ? "a value above the greatest long long: use as_unsigned()"
                                                                       : "a negative value: use as_integer()");
            }
            return static_cast<Integer>(number);
        }
    });
}

}  // namespace

double FieldValue::as_double() const {
    return visit(value_, [](auto number) { return static_cast<double>(number); });
}

long long FieldValue::as_integer() const {
    return integer_of<long long>(value_);
}

unsigned long long FieldValue::as_unsigned() const {
    return integer_of<unsigned long long>(value_);
}

}  // namespace CUBIND_NAMESPACE::system

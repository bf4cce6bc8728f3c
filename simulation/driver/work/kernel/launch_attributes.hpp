// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

namespace CUBIND_NAMESPACE::sim {

/// Returns CUDA_ERROR_INVALID_VALUE if the driver of the release does not accept an attribute for launches, or its value is
/// invalid.
driver::CUresult check_attributes(const driver::CUlaunchConfig& config, int release) noexcept;

/// Returns the value of the launch attribute with this ID, or null. `config.attrs` must be valid.
const driver::CUlaunchAttributeValue* find_attribute(const driver::CUlaunchConfig& config,
                                                     driver::CUlaunchAttributeID id) noexcept;

/// Returns the event that an attribute records; the event may be null. Returns a null pointer if the attribute records
/// none.
const driver::CUevent* event_of(const driver::CUlaunchAttribute& attribute) noexcept;

}  // namespace CUBIND_NAMESPACE::sim

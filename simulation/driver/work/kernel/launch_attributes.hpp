// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

/// Returns CUDA_ERROR_INVALID_VALUE if the driver of the release does not accept an attribute for launches, or its value is
/// invalid.
CUresult check_attributes(const CUlaunchConfig& config, int release) noexcept;

/// Returns the value of the launch attribute with this ID, or null. `config.attrs` must be valid.
const CUlaunchAttributeValue* find_attribute(const CUlaunchConfig& config, CUlaunchAttributeID id) noexcept;

/// Returns the event that an attribute records; the event may be null. Returns a null pointer if the attribute records
/// none.
const CUevent* event_of(const CUlaunchAttribute& attribute) noexcept;

}  // namespace CUBIND_NAMESPACE::sim

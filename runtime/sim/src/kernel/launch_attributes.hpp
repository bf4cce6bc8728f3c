// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

namespace cubind::sim {

using namespace driver;

/// CUDA_ERROR_INVALID_VALUE where an attribute is none of launches in the machine's release, or has a value that it cannot have.
CUresult check_attributes(const CUlaunchConfig& config) noexcept;

/// The attribute of a launch that has this id; null if there is none. The config's attributes must be there.
const CUlaunchAttributeValue* find_attribute(const CUlaunchConfig& config, CUlaunchAttributeID id) noexcept;

/// The event that an attribute asks to record, which may be none; null if it is no such attribute.
const CUevent* event_of(const CUlaunchAttribute& attribute) noexcept;

}  // namespace cubind::sim

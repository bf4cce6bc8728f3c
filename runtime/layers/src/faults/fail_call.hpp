// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/layers/layer.hpp>

namespace CUBIND_NAMESPACE::layers::faults {

/// Makes a call return `status`. If the vendor's function destroys an object, calls it first. faults.cpp defines it.
void fail_call(const Call& call, const Next& next, int status) noexcept;

/// Throws std::invalid_argument if the status is success. faults.cpp defines it.
void check_status(int status);

}  // namespace CUBIND_NAMESPACE::layers::faults

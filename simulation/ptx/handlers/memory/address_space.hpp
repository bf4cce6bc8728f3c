// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/forms/form.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Conversions between generic addresses and those of state spaces, and tests of generic addresses.
Forms address_space_forms();

}  // namespace CUBIND_NAMESPACE::sim::ptx

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/layers/layer.hpp>

namespace cubind::layers::faults {

/// Makes a call return `status`. One that ends an object is made all the same.
void make_fail(const Call& call, const Next& next, int status) noexcept;

}  // namespace cubind::layers::faults

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/object_code.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Returns whether the code is LTO-IR: as such, or in a fat binary that has nothing else.
[[nodiscard]] bool is_lto_ir(const ObjectCode& object);

}  // namespace CUBIND_NAMESPACE::detail

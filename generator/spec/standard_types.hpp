// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace cubind::gen::spec {

/// Returns whether `name` is a fundamental type or a type of <stddef.h> or <stdint.h>, which no vendor header defines.
bool is_standard_type(std::string_view name);

}  // namespace cubind::gen::spec

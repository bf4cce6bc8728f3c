// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace cubind::gen::spec {

/// Types that every C++ compiler has under this name, alone or with <cstddef> and <cstdint>: no header of the vendor's defines them.
bool is_standard_type(std::string_view name);

/// True for those that stand in namespace std.
bool is_in_std(std::string_view name);

}  // namespace cubind::gen::spec

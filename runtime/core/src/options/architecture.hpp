// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace cubind::detail {

/// An architecture's parts: of "sm_90a" 90, 'a' and not virtual; of "compute_100" 100, no suffix ('\0') and virtual.
struct Architecture {
    unsigned number;
    char suffix;
    bool is_virtual;
};

/// Nothing for what is no architecture's name.
std::optional<Architecture> parse_architecture(std::string_view text);

}  // namespace cubind::detail

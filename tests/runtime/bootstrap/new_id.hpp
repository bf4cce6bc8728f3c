// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/bootstrap.hpp>

#include <cstddef>

namespace cubind::testing {

/// Returns an id whose bytes are 1 to 128.
inline Bootstrap::Id new_id() {
    Bootstrap::Id id;
    for (std::size_t i = 0; i < id.size(); ++i) id[i] = static_cast<std::byte>(i + 1);
    return id;
}

}  // namespace cubind::testing

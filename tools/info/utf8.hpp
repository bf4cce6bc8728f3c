// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace cubind::info {

/// Bytes of the character that the text begins with; 0 if these bytes are no UTF-8.
std::size_t utf8_length(std::string_view text);

}  // namespace cubind::info

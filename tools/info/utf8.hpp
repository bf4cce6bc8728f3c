// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace cubind::info {

/// Returns the number of bytes of the first character of the text; 0 if these bytes are not UTF-8.
std::size_t utf8_length(std::string_view text);

}  // namespace cubind::info

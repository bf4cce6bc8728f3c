// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::fuzz {

/// A text with some of its tokens or lines left out, doubled, exchanged or replaced; the same `seed` does the same.
std::string mutate_tokens(const std::string& text, unsigned seed);

}  // namespace cubind::fuzz

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::fuzz {

/// Returns the text after one to four random edits, each of which erases, duplicates, swaps, replaces or inserts tokens or lines.
/// The result depends on `text` and `seed` only.
std::string mutate_tokens(const std::string& text, unsigned seed);

}  // namespace cubind::fuzz

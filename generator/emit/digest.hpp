// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::gen::emit {

/// Returns 16 hexadecimal digits of a hash of the text (BLAKE2b). That is enough to detect changes.
std::string digest_of(const std::string& text);

}  // namespace cubind::gen::emit

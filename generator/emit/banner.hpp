// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::gen::emit {

/// Prepends a line to `text` that states that the file is generated, with a hash of `text`.
std::string with_banner(const std::string& path, const std::string& text);

enum class Banner {
    absent,   ///< not a generated file
    intact,   ///< its text is unchanged
    tampered  ///< it was edited after generation
};
Banner check_banner(const std::string& text);

}  // namespace cubind::gen::emit

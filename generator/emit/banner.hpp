// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::gen::emit {

/// `text` with two lines on top: that it is generated, and a hash of what follows.
std::string with_banner(const std::string& path, const std::string& text);

enum class Banner {
    absent,   ///< not a generated file
    intact,   ///< its text is as it was generated
    tampered  ///< it was edited after it was generated
};
Banner check_banner(const std::string& text);

}  // namespace cubind::gen::emit

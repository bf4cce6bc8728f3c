// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::info {

/// A release, or a PTX ISA, as one number, 1000 * major + 10 * minor: 13040 is 13.4. 0 means that it is not known.
using Release = int;

/// "13.4"; empty for 0.
std::string to_text(Release release);

/// 13040 for "13.4"; 0 for what is no release.
Release parse_release(const std::string& text);

/// The compute capability of an architecture, 10 * major + minor: "10.3" for 103.
std::string capability_text(int architecture);

}  // namespace cubind::info

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::info {

/// A release or a PTX ISA as one number, 1000 * major + 10 * minor: 13040 is 13.4. 0 means unknown.
using Release = int;

/// Converts 13040 to "13.4"; returns an empty string for 0.
std::string to_text(Release release);

/// Converts 2019003, a version of a library with releases of its own, to "2.19.3"; returns an empty string for 0.
std::string own_version_text(int version);

/// Converts "13.4" to 13040; returns 0 if the text is not a release.
Release parse_release(const std::string& text);

/// Returns the compute capability of an architecture, which is 10 * major + minor: "10.3" for 103.
std::string capability_text(int architecture);

/// Returns the version of cubind, for example "0.1.0".
std::string cubind_version();

/// Returns the newest CUDA release from which cubind was generated.
Release bound_release();

}  // namespace cubind::info

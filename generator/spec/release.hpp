// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Releases of CUDA are written as "13.4", versions of a library as "2.19.3". Both are compared as numbers, each with its own
/// kind only.
namespace cubind::gen::spec {

/// Returns "13.4" as 13040, the form of the vendor's macros for releases of CUDA, and "2.19.3" as 2019003; 0 for any other text.
int release_number(std::string_view release);

/// Returns 13040 as "13.4".
std::string release_text(int number);

/// Returns whether the text is a version of a library, such as "2.19.3".
bool is_version(std::string_view release);

/// Returns the first number of a release or version.
int release_major(std::string_view release);

/// Throws InputError with `place` unless `release` is a valid release of CUDA or version of a library.
void check_release(const std::string& release, const std::string& place);

struct EarlierRelease {
    bool operator()(std::string_view a, std::string_view b) const { return release_number(a) < release_number(b); }
};

}  // namespace cubind::gen::spec

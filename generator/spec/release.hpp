// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Releases are written as "13.4" and compared as numbers.
namespace cubind::gen::spec {

/// Returns "13.4" as 13040, the form of the vendor's version macros; 0 for a text that is not a release.
int release_number(std::string_view release);

/// Returns 13040 as "13.4".
std::string release_text(int number);

/// Throws InputError with `place` unless `release` is a valid release.
void check_release(const std::string& release, const std::string& place);

struct EarlierRelease {
    bool operator()(std::string_view a, std::string_view b) const { return release_number(a) < release_number(b); }
};

}  // namespace cubind::gen::spec

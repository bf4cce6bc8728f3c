// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cubind::sim::ptx {

/// Returns the newest PTX version that the driver of a release accepts. Both are 1000 * major + 10 * minor. Each
/// release since 12.0 has introduced the next version, except for 12.6.
constexpr int newest_version(int release) noexcept {
    if (release >= 13000) return release - 4000;
    return release >= 12060 ? release - 4010 : release - 4000;
}
static_assert(newest_version(12000) == 8000 && newest_version(12060) == 8050 && newest_version(12090) == 8080);

}  // namespace cubind::sim::ptx

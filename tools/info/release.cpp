// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "release.hpp"

#include <cubind/driver/constants.hpp>
#include <cubind/version.hpp>

#include <cstdio>

namespace cubind::info {

std::string to_text(Release release) {
    return release > 0 ? std::to_string(release / 1000) + "." + std::to_string(release % 1000 / 10) : "";
}

std::string own_version_text(int version) {
    if (version <= 0) return "";
    return std::to_string(version / 1000000) + "." + std::to_string(version / 1000 % 1000) + "." + std::to_string(version % 1000);
}

Release parse_release(const std::string& text) {
    int major = 0;
    int minor = 0;
    return std::sscanf(text.c_str(), "%4d.%2d", &major, &minor) == 2 && major >= 0 && minor >= 0 ? 1000 * major + 10 * minor : 0;
}

std::string capability_text(int architecture) {
    return std::to_string(architecture / 10) + "." + std::to_string(architecture % 10);
}

std::string cubind_version() {
    return std::to_string(CUBIND_VERSION_MAJOR) + "." + std::to_string(CUBIND_VERSION_MINOR) + "." +
           std::to_string(CUBIND_VERSION_PATCH);
}

Release bound_release() {
    return driver::CUDA_VERSION;
}

}  // namespace cubind::info

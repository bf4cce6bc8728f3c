// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/release.hpp"

#include <charconv>

#include "error.hpp"

namespace cubind::gen::spec {

int release_number(std::string_view release) {
    const char* const end = release.data() + release.size();
    int major = 0;
    int minor = 0;
    const auto dot = std::from_chars(release.data(), end, major);
    if (dot.ec != std::errc() || dot.ptr == end || *dot.ptr != '.' || major < 1 || major > 999) return 0;
    const auto rest = std::from_chars(dot.ptr + 1, end, minor);
    if (rest.ec != std::errc() || rest.ptr != end || minor < 0 || minor > 99) return 0;
    return major * 1000 + minor * 10;
}

std::string release_text(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

void check_release(const std::string& release, const std::string& place) {
    if (release_number(release) == 0)
        throw InputError(place + ": \"" + release + "\" is not a release; write it as MAJOR.MINOR, such as 13.4");
}

}  // namespace cubind::gen::spec

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/release.hpp"

#include <charconv>
#include <vector>

#include "error.hpp"

namespace cubind::gen::spec {

namespace {

/// Splits a text at its dots into numbers from 0 to 999. Returns an empty list for any other text.
std::vector<int> parts_of(std::string_view text) {
    std::vector<int> parts;
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    while (true) {
        int part = 0;
        const auto parsed = std::from_chars(at, end, part);
        if (parsed.ec != std::errc() || *at == '-' || part > 999) return {};
        parts.push_back(part);
        if (parsed.ptr == end) return parts;
        if (*parsed.ptr != '.') return {};
        at = parsed.ptr + 1;
    }
}

}  // namespace

int release_number(std::string_view release) {
    const std::vector<int> parts = parts_of(release);
    if (parts.size() == 3) return parts[0] * 1000000 + parts[1] * 1000 + parts[2];
    if (parts.size() != 2 || parts[0] == 0 || parts[1] > 99) return 0;
    return parts[0] * 1000 + parts[1] * 10;
}

bool is_version(std::string_view release) {
    return parts_of(release).size() == 3 && release_number(release) != 0;
}

int release_major(std::string_view release) {
    const std::vector<int> parts = parts_of(release);
    return parts.empty() ? 0 : parts.front();
}

std::string release_text(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

void check_release(const std::string& release, const std::string& place) {
    if (release_number(release) == 0)
        throw InputError(place + ": \"" + release +
                         "\" is not a release; write a release of CUDA as MAJOR.MINOR, such as 13.4, and a version of a library "
                         "as MAJOR.MINOR.PATCH, such as 2.19.3");
}

}  // namespace cubind::gen::spec

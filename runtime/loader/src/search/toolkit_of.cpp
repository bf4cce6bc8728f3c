// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "search/toolkit_of.hpp"

#include <algorithm>
#include <string_view>

#include "platform/exhausted.hpp"
#include "platform/file.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

// Returns the leading digits and dots of a text, without dots at the end.
std::string leading_version(std::string_view text) {
    text = text.substr(0, text.find_first_not_of("0123456789."));
    while (text.ends_with('.')) text.remove_suffix(1);
    return std::string(text);
}

}  // namespace

std::string real_path(const std::string& path) {
    std::string real;
    const int error = find_real_path(path.c_str(), real);
    throw_if_exhausted(error);
    return error == 0 ? real : path;
}

std::string toolkit_of(const std::string& file) {
    const std::string real = real_path(file);
    for (const std::string_view packages : {"/site-packages/", "/dist-packages/"}) {
        const std::size_t at = real.find(packages);
        if (at == std::string::npos) continue;
        const std::size_t begin = at + packages.size();
        const bool is_13 = real.compare(begin, 12, "nvidia/cu13/") == 0;
        return real.substr(0, begin) + (is_13 ? "nvidia/cu13" : "nvidia");
    }
    // The first of these folders from the right ends the prefix; folders that contain others are searched first.
    for (const std::string_view folder : {"/targets/", "/nvvm/", "/extras/", "/lib64/", "/lib/", "/include/", "/bin/"}) {
        const std::size_t at = real.rfind(folder);
        if (at != std::string::npos) return real.substr(0, std::max<std::size_t>(at, 1));
    }
    return real.substr(0, std::max<std::size_t>(real.rfind('/'), 1));
}

std::string version_of(const std::string& file) {
    const std::string real = real_path(file);
    const std::size_t name = real.rfind('/') + 1;
    const std::size_t at = real.find(".so.", name);
    std::string version = at != std::string::npos ? leading_version(std::string_view(real).substr(at + 4)) : std::string();
    if (!version.empty()) return version;
    constexpr std::string_view toolkit = "/cuda-";
    const std::size_t prefix = real.find(toolkit);
    return prefix != std::string::npos ? leading_version(std::string_view(real).substr(prefix + toolkit.size())) : version;
}

}  // namespace CUBIND_NAMESPACE::detail

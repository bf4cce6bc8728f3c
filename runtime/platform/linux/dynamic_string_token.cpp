// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/dynamic_string_token.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

bool is_of_name(char c) noexcept {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_';
}

}  // namespace

std::string_view dynamic_string_token(std::string_view path) noexcept {
    for (std::size_t at = path.find('$'); at != std::string_view::npos; at = path.find('$', at + 1)) {
        const bool has_braces = path.substr(at + 1).starts_with('{');
        const std::size_t begin = at + (has_braces ? 2 : 1);
        for (const std::string_view name : {"ORIGIN", "PLATFORM", "LIB"}) {
            if (!path.substr(begin).starts_with(name)) continue;
            const std::string_view rest = path.substr(begin + name.size());
            if (has_braces ? !rest.starts_with('}') : !rest.empty() && is_of_name(rest.front())) continue;
            return path.substr(at, begin + name.size() + (has_braces ? 1 : 0) - at);
        }
    }
    return {};
}

}  // namespace CUBIND_NAMESPACE::detail

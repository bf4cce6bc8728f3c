// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/header_release.hpp"

#include "error.hpp"
#include "extract/header_set.hpp"
#include "joined.hpp"
#include "spec/json.hpp"
#include "spec/release.hpp"

#include <algorithm>
#include <charconv>
#include <map>

namespace cubind::gen::extract {

namespace {

constexpr std::string_view blanks = " \t";

void take_blanks(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size())); }

/// Takes blanks and then `word` off the front; false if something else stands there.
bool take(std::string_view& text, std::string_view word) {
    take_blanks(text);
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

/// The number that a line defines `macro` as; 0 for any other line.
int number_defined(std::string_view line, const std::string& macro) {
    const auto is_apart = [&] { return !line.empty() && blanks.find(line.front()) != std::string_view::npos; };
    if (!take(line, "#") || !take(line, "define") || !is_apart() || !take(line, macro) || !is_apart()) return 0;
    take_blanks(line);
    int number = 0;
    const auto end = std::from_chars(line.data(), line.data() + line.size(), number);
    return end.ec == std::errc() ? number : 0;
}

}  // namespace

std::string release_of(const std::filesystem::path& header, const std::string& macro) {
    const HeaderText text(spec::read_text(header));
    int number = 0;
    for (unsigned line = 1; number == 0 && line <= text.line_count(); ++line) number = number_defined(text.line(line), macro);
    std::string release = number >= 1000 ? spec::release_text(number) : "";
    if (spec::release_number(release) == 0) {
        throw InputError(header.string() + ": defines no usable " + macro +
                         " (1000 * major + 10 * minor), so the release is unknown; is this NVIDIA's header?");
    }
    return release;
}

std::string find_release(const std::vector<spec::LibraryConfig>& configs, const std::vector<std::filesystem::path>& includes) {
    std::map<std::string, std::filesystem::path> found;
    for (const auto& folder : includes) {
        for (const auto& config : configs) {
            const auto header = folder / config.release.header;
            if (std::filesystem::is_regular_file(header)) found.emplace(release_of(header, config.release.macro), header);
        }
    }
    if (found.empty()) {
        std::string headers;
        for (const auto& config : configs) {
            if (headers.find(config.release.header) == std::string::npos) headers += (headers.empty() ? "" : " or ") + config.release.header;
        }
        throw InputError(headers + ": not found in " + joined(includes) + ", so the release is unknown; give --include the folder that holds it");
    }
    if (found.size() == 1) return found.begin()->first;
    const auto& [older, older_header] = *found.begin();
    const auto& [newer, newer_header] = *found.rbegin();
    throw InputError("the include folders mix CUDA " + older + " (" + older_header.string() + ") and CUDA " + newer + " (" +
                     newer_header.string() + "); give the folders of one release");
}

}  // namespace cubind::gen::extract

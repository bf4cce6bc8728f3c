// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/header_release.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "error.hpp"
#include "extract/header_set.hpp"
#include "join_strings.hpp"
#include "spec/json.hpp"
#include "spec/release.hpp"

namespace cubind::gen::extract {

namespace {

constexpr std::string_view blanks = " \t";

void skip_blanks(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
}

/// Removes blanks and then `word` from the front of `text`. Returns false if other text follows.
bool skip(std::string_view& text, std::string_view word) {
    skip_blanks(text);
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

/// Returns the number that a line defines `macro` as, possibly in parentheses. Any other line returns no number.
std::optional<int> number_in_line(std::string_view line, const std::string& macro) {
    const auto is_apart = [&] { return !line.empty() && blanks.find(line.front()) != std::string_view::npos; };
    if (!skip(line, "#") || !skip(line, "define") || !is_apart() || !skip(line, macro) || !is_apart()) return std::nullopt;
    skip(line, "(");
    skip_blanks(line);
    int number = 0;
    const auto end = std::from_chars(line.data(), line.data() + line.size(), number);
    return end.ec == std::errc() && number >= 0 ? std::optional(number) : std::nullopt;
}

/// Returns the number that the header defines `macro` as.
std::optional<int> defined_number(const HeaderText& text, const std::string& macro) {
    for (unsigned line = 1; line <= text.line_count(); ++line) {
        if (const auto number = number_in_line(text.line(line), macro)) return number;
    }
    return std::nullopt;
}

/// Returns the version that one header states.
std::string version_in(const std::filesystem::path& header, const spec::VersionConfig& config) {
    const HeaderText text(spec::read_text(header));
    std::vector<std::int64_t> numbers;
    for (const auto& macro : config.macros) {
        const auto number = defined_number(text, macro);
        if (!number) {
            throw InputError(header.string() + ": the header does not define " + macro + " as a number, so the version of " +
                             config.product + " is unknown; correct \"version\" in library.json");
        }
        numbers.push_back(*number);
    }
    return spec::version_text(config, numbers, header.string());
}

}  // namespace

std::string release_of(const std::filesystem::path& header, const std::string& macro) {
    const HeaderText text(spec::read_text(header));
    const int number = defined_number(text, macro).value_or(0);
    std::string release = number >= 1000 ? spec::release_text(number) : "";
    if (spec::release_number(release) == 0) {
        throw InputError(header.string() + ": the header does not define " + macro +
                         " as 1000 * major + 10 * minor, so the release is "
                         "unknown; check that this is NVIDIA's header");
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
            if (headers.find(config.release.header) == std::string::npos)
                headers += (headers.empty() ? "" : " or ") + config.release.header;
        }
        throw InputError(headers + ": not found in " + join_strings(includes) +
                         ", so the release is unknown; pass the folder that holds it to --include");
    }
    if (found.size() == 1) return found.begin()->first;
    const auto& [older, older_header] = *found.begin();
    const auto& [newer, newer_header] = *found.rbegin();
    throw InputError("the include folders hold headers of CUDA " + older + " (" + older_header.string() + ") and CUDA " + newer +
                     " (" + newer_header.string() + "); pass folders of one release only");
}

std::string find_version(const spec::LibraryConfig& config, const std::vector<std::filesystem::path>& includes) {
    std::map<std::string, std::filesystem::path> found;
    for (const auto& folder : includes) {
        const auto header = folder / config.version.header;
        if (std::filesystem::is_regular_file(header)) found.emplace(version_in(header, config.version), header);
    }
    if (found.size() == 1) return found.begin()->first;
    if (found.empty()) {
        throw InputError(config.version.header + ": not found in " + join_strings(includes) + ", so the version of " +
                         config.version.product + " is unknown; pass the folder that holds it to --include");
    }
    const auto& [one, one_header] = *found.begin();
    const auto& [other, other_header] = *found.rbegin();
    throw InputError("the include folders hold headers of " + config.version.product + " " + one + " (" + one_header.string() +
                     ") and " + other + " (" + other_header.string() + "); pass folders of one version only");
}

std::map<std::string, std::string> find_releases(const std::vector<spec::LibraryConfig>& configs,
                                                 const std::vector<std::filesystem::path>& includes,
                                                 const std::vector<spec::LibraryConfig>& others) {
    std::map<std::string, std::string> releases;
    std::vector<spec::LibraryConfig> numbered_by_cuda;
    for (const auto& config : configs) {
        if (config.is_numbered_by_cuda()) {
            numbered_by_cuda.push_back(config);
        } else {
            releases.emplace(config.library, find_version(config, includes));
        }
    }
    if (numbered_by_cuda.empty()) return releases;
    std::vector<spec::LibraryConfig> stating = numbered_by_cuda;
    std::copy_if(others.begin(), others.end(), std::back_inserter(stating),
                 [](const spec::LibraryConfig& config) { return config.is_numbered_by_cuda(); });
    const std::string release = find_release(stating, includes);
    for (const auto& config : numbered_by_cuda) releases.emplace(config.library, release);
    return releases;
}

}  // namespace cubind::gen::extract

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/header_release.hpp"

#include "error.hpp"
#include "joined.hpp"
#include "spec/json.hpp"
#include "spec/release.hpp"

#include <map>
#include <regex>

namespace cubind::gen::extract {

std::string release_of(const std::filesystem::path& header, const std::string& macro) {
    const std::string text = spec::read_text(header);
    // Blanks may stand anywhere between the words of the directive.
    const std::regex define("(^|\\n)[ \\t]*#[ \\t]*define[ \\t]+" + macro + "[ \\t]+([0-9]{4,7})");
    const std::size_t at = text.find(macro);  // spares the expression most of the file
    const std::size_t line = at == std::string::npos ? text.size() : text.rfind('\n', at) + 1;
    std::smatch found;
    int number = 0;
    if (std::regex_search(text.begin() + static_cast<std::ptrdiff_t>(line), text.end(), found, define)) number = std::stoi(found[2]);
    if (number < 1000) {
        throw InputError(header.string() + ": defines no usable " + macro +
                         " (1000 * major + 10 * minor), so the release is unknown; is this NVIDIA's header?");
    }
    return spec::release_text(number);
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

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/ptx_isa.hpp>

#include <map>
#include <sstream>

#include "lines.hpp"
#include "report.hpp"

namespace cubind::info {
namespace {

constexpr std::size_t max_names_per_release = 6;  // without --all

// Writes the lacking functions by the release that introduced them, newest first. Functions that a release dropped have their
// own rows.
void write_lacking(Lines& lines, const LibraryFacts& library, bool all) {
    const std::string count =
        std::to_string(library.lacking.size()) + " of " + std::to_string(library.bound) + " bound functions";
    lines.add_row("lacks", library.lacking.empty() ? "none of " + std::to_string(library.bound) + " bound functions" : count);
    std::map<std::pair<Release, std::string>, std::vector<std::string>> releases;
    for (const auto& function : library.lacking) {
        const std::string dropped = function.removed.empty() ? "" : ", dropped in " + function.removed;
        releases[{-parse_release(function.since), function.since + dropped}].push_back(function.symbol);
    }
    for (auto& [release, symbols] : releases) {
        const std::size_t hidden = all || symbols.size() <= max_names_per_release ? 0 : symbols.size() - max_names_per_release;
        symbols.resize(symbols.size() - hidden);
        lines.add_row("  since " + release.second,
                      join_strings(symbols) + (hidden > 0 ? " and " + std::to_string(hidden) + " more" : ""));
    }
}

void write_missing(Lines& lines, const LibraryFacts& library, bool all) {
    std::istringstream message(library.why_missing);
    bool is_first = true;
    for (std::string line; std::getline(message, line); is_first = false) {
        if (!is_first && !all) break;
        lines.add_row(is_first ? "missing" : "", line.starts_with("  ") ? line.substr(2) : line);
    }
}

void write_library(Lines& lines, const LibraryFacts& library, bool all) {
    lines.add_heading(library.name);
    if (!library.found) return write_missing(lines, library, all);
    lines.add_row("file", library.path + ", found via " + library.found_via);
    if (library.real_path != library.path) lines.add_row("real file", library.real_path);
    for (const auto& note : library.search_notes) lines.add_row("note", note);
    lines.add_row("release", !library.version_text.empty() ? library.product + " " + library.version_text : "unknown");
}

void write_driver(Lines& lines, const Facts& facts) {
    const DriverFacts& driver = facts.driver;
    const detail::PtxLimit limit = detail::ptx_limit(facts.library("driver").version);
    if (!driver.file_version.empty()) lines.add_row("driver version", driver.file_version);
    if (limit.ptx_isa != 0) lines.add_row("accepts PTX", to_text(limit.ptx_isa) + (limit.is_exact ? " and older" : " at least"));
    if (!driver.usable) {
        return lines.add_row("devices",
                             "none: " + driver.status_name + " (" + std::to_string(driver.status) + "): " + driver.description);
    }
    lines.add_row("devices", std::to_string(driver.devices.size()));
    for (const auto& device : driver.devices) {
        lines.add_row(
            "  " + std::to_string(device.ordinal),
            device.name + (device.architecture != 0 ? ", compute capability " + capability_text(device.architecture) : ""));
    }
}

void write_compiler(Lines& lines, const CompilerFacts& compiler) {
    if (compiler.ptx_isa != 0) lines.add_row("emits PTX", to_text(compiler.ptx_isa));
    if (!compiler.problem.empty()) lines.add_row("compiles", "nothing: " + compiler.problem);
    std::vector<std::string> capabilities;
    for (const int architecture : compiler.architectures) capabilities.push_back(capability_text(architecture));
    if (!capabilities.empty()) lines.add_row("compiles for", join_strings(capabilities));
    const std::string release = compiler.headers != 0 ? "CUDA " + to_text(compiler.headers) + ", " : "";
    if (!compiler.headers_path.empty()) lines.add_row("headers", release + compiler.headers_path);
}

void write_environment(Lines& lines, const Facts& facts) {
    lines.add_heading("environment");
    for (const auto& toolkit : facts.toolkits) lines.add_row(toolkit.name, toolkit.value.empty() ? "not set" : toolkit.value);
    for (const auto& library : facts.libraries) {
        if (!library.override_value.empty()) lines.add_row(library.override_variable, library.override_value);
    }
}

}  // namespace

std::string text_report(const Facts& facts, const std::vector<Mismatch>& mismatches, bool all) {
    Lines lines;
    lines.add_heading("cubind " + cubind_version() + ", bindings of CUDA " + to_text(bound_release()));
    for (const auto& library : facts.libraries) {
        write_library(lines, library, all);
        if (!library.found) continue;
        if (library.name == "driver") write_driver(lines, facts);
        if (library.name == "nvrtc") write_compiler(lines, facts.compiler);
        write_lacking(lines, library, all);
    }
    write_environment(lines, facts);
    lines.add_heading(mismatches.empty() ? "No problems were found." : "Problems");
    for (const auto& mismatch : mismatches) lines.add_item(mismatch.text);
    return lines.text();
}

}  // namespace cubind::info

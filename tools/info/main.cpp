// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Prints which CUDA libraries a machine has and which problems they will cause.
#include <cubind/find.hpp>

#include <cstdio>

#include "gather.hpp"
#include "options.hpp"
#include "report.hpp"

namespace {

int print(const std::string& text, int status) {
    const bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
    return written ? status : 2;
}

// Returns whether the artifact with this name was found. If there are several, such as a library and its headers, the first kind
// counts: a library of which only the headers are usable was not found.
bool is_found(const std::string& name) {
    using cubind::ArtifactKind;
    for (const ArtifactKind kind : {ArtifactKind::library, ArtifactKind::program, ArtifactKind::static_library,
                                    ArtifactKind::bitcode_library, ArtifactKind::headers}) {
        const cubind::Location location = cubind::locate(kind, name);
        if (location.status != cubind::FindStatus::unknown_name) return location.ok();
    }
    return false;
}

}  // namespace

int main(int count, char** arguments) {
    using namespace cubind::info;
    const Options options = parse_options(count, arguments);
    if (!options.problem.empty()) {
        std::fprintf(stderr, "cubind-info: %s; see cubind-info --help\n", options.problem.c_str());
        return 2;
    }
    if (options.help) return print(usage, 0);
    if (options.version) {
        return print("cubind-info " + cubind_version() + ", bindings of CUDA " + to_text(bound_release()) + "\n", 0);
    }
    if (!options.find.empty()) return print(cubind::diagnose(options.find), is_found(options.find) ? 0 : 1);
    const Facts facts = gather();
    const auto mismatches = find_mismatches(facts);
    return print(options.json ? json_report(facts, mismatches) : text_report(facts, mismatches, options.all),
                 mismatches.empty() ? 0 : 1);
}

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "missing_symbol.hpp"

#include <stdlib.h>

#include "symbol_lookup.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

// Converts "12.4" to 12040, the format of version(); returns 0 for an unknown release.
int release_number(const char* release) {
    char* minor = nullptr;
    const long major = release != nullptr ? strtol(release, &minor, 10) : 0;
    return static_cast<int>(1000 * major + (major > 0 && *minor == '.' ? 10 * strtol(minor + 1, nullptr, 10) : 0));
}

std::string release_name(int version) {
    return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// Returns "nvrtcFoo was introduced in CUDA 12.4 and dropped in CUDA 13.0", for example; empty if neither release is known.
std::string history(const EntryPoint& entry, int since, int removed) {
    std::string text = entry.symbol;
    if (since != 0) {
        text += std::string(" was introduced in CUDA ") + entry.since;
    }
    if (removed != 0) {
        text += std::string(since != 0 ? " and" : " was") + " dropped in CUDA " + entry.removed;
    }
    return since != 0 || removed != 0 ? text : "";
}

// Returns what to install: "CUDA 12.4 or newer", "CUDA 12.4 or newer, but older than CUDA 13.0", ...
std::string fitting_releases(const EntryPoint& entry, int since, int removed) {
    std::string text = since != 0 ? std::string("CUDA ") + entry.since + " or newer" : "";
    if (removed != 0) {
        text += std::string(since != 0 ? ", but older than CUDA " : "a release older than CUDA ") + entry.removed;
    }
    return text.empty() ? "a newer release" : text;
}

}  // namespace

std::string missing_symbol_text(const EntryPoint& entry, const SearchOutcome& outcome) {
    Library& library = *entry.library;
    const int found = version(library);
    const int since = release_number(entry.since);
    const int removed = release_number(entry.removed);
    const std::string past = history(entry, since, removed);
    const std::string file = outcome.path + " (" + library.name + ", found via " + outcome.found_via + ") is of " +
                             (found != 0 ? release_name(found) : "unknown version");
    const std::string kind = library.from_os_loader_only ? "an NVIDIA driver for " : "a toolkit of ";

    std::string text = past.empty() ? file : past + ", and " + file;
    // If the versions explain the failure, the fallback symbol is not mentioned.
    const bool too_old = found != 0 && found < since;
    const bool too_new = found != 0 && removed != 0 && found >= removed;
    if (!too_old && !too_new) {
        const std::string fallback = fallback_symbol(library, entry.symbol);
        text += std::string(" and does not export ") + (past.empty() ? entry.symbol : "it") +
                (fallback.empty() ? "" : ", nor " + fallback);
    }
    if (found != 0 && since != 0 && !too_old && !too_new) {
        return text + ", although that release should: check that the file is NVIDIA's own and built for this architecture.";
    }
    return text + "; " + kind + fitting_releases(entry, since, removed) + " is needed.";
}

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "resolve/missing_symbol.hpp"

#include <stdlib.h>

#include "search/symbol_lookup.hpp"
#include "search/version_answer.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

// Converts "12.4" to 12040 and "2.19.3" to 2019003, the forms of version(); returns 0 for an unknown release.
int release_number(const char* release) {
    int parts[3] = {};
    int count = 0;
    for (const char* at = release; at != nullptr && count < 3;) {
        char* end = nullptr;
        parts[count] = static_cast<int>(strtol(at, &end, 10));
        if (end != at) ++count;
        at = end != at && *end == '.' ? end + 1 : nullptr;
    }
    return count == 3 ? 1000000 * parts[0] + 1000 * parts[1] + parts[2] : 1000 * parts[0] + 10 * parts[1];
}

// Returns "CUDA 12.4", for example.
std::string with_product(const EntryPoint& entry, const char* release) {
    return std::string(entry.library->product) + " " + release;
}

// Returns "nvrtcFoo was introduced in CUDA 12.4 and dropped in CUDA 13.0", for example; empty if neither release is known.
std::string history(const EntryPoint& entry, int since, int removed) {
    std::string text = entry.symbol;
    if (since != 0) {
        text += " was introduced in " + with_product(entry, entry.since);
    }
    if (removed != 0) {
        text += std::string(since != 0 ? " and" : " was") + " dropped in " + with_product(entry, entry.removed);
    }
    return since != 0 || removed != 0 ? text : "";
}

// Returns what to install: "CUDA 12.4 or newer", "CUDA 12.4 or newer, but older than CUDA 13.0", ...
std::string fitting_releases(const EntryPoint& entry, int since, int removed) {
    std::string text = since != 0 ? with_product(entry, entry.since) + " or newer" : "";
    if (removed != 0) {
        text += (since != 0 ? ", but older than " : "a release older than ") + with_product(entry, entry.removed);
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
                             (found != 0 ? version_name(library, found) : "unknown version");
    const std::string toolkit = library.from_os_loader_only ? "an NVIDIA driver for " : "a toolkit of ";
    const std::string kind = library.has_own_releases ? "" : toolkit;

    // A driver that the program takes from another place than the system's may lack what the system's driver has.
    const std::string note = library.from_os_loader_only && !outcome.notes.empty() ? " Note: " + outcome.notes : "";
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
        return text + ", although that release should: check that the file is NVIDIA's own and built for this architecture." +
               note;
    }
    return text + "; " + kind + fitting_releases(entry, since, removed) + " is needed." + note;
}

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/outputs.hpp"
#include "spec/facts.hpp"
#include "spec/library.hpp"

/// What changed between two releases in all libraries: as JSON, as text for a terminal, and as the pages of docs/releases.
namespace cubind::gen::diff {

struct Library {
    spec::LibraryConfig config;
    spec::Facts facts;  ///< over all releases
};
using Libraries = std::vector<Library>;

enum class Format { text, markdown, json };

/// The diff of two releases; a library that lacks one of them is named under "gaps". Throws InputError if all do.
spec::Json diff_of(const Libraries& libraries, const std::string& before, const std::string& after);

std::string render(const spec::Json& diff, Format format, const emit::Templates& templates);

/// The releases that any of the libraries knows, oldest first.
std::vector<std::string> all_releases(const Libraries& libraries);

/// A page for every two neighbouring releases, and the list of the pages, by path below the folder of the documentation.
emit::Outputs pages(const Libraries& libraries, const emit::Templates& templates);

/// The folder of the pages below that of the documentation.
inline const char* const pages_folder = "releases";

}  // namespace cubind::gen::diff

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emit/outputs.hpp"
#include "spec/facts.hpp"
#include "spec/library.hpp"

/// The changes between two releases in all libraries: as JSON, as text for a terminal, and as the pages of docs/releases.
namespace cubind::gen::diff {

struct Library {
    spec::LibraryConfig config;
    spec::Facts facts;  ///< facts of all releases
};
using Libraries = std::vector<Library>;

enum class Format { text, markdown, json };

/// Groups the libraries whose releases can be compared: one group of all that are numbered by releases of CUDA, if there are
/// any, and one group for each library with versions of its own.
std::vector<Libraries> by_numbering(const Libraries& libraries);

/// Returns the diff of two releases of libraries with one numbering. A library whose spec lacks one of them is listed under
/// "gaps". Throws InputError if no library has both.
spec::Json compare_releases(const Libraries& libraries, const std::string& before, const std::string& after);

std::string render(const spec::Json& diff, Format format, const emit::Templates& templates);

/// Returns the releases of all libraries, oldest first.
std::vector<std::string> all_releases(const Libraries& libraries);

/// Returns a page for every two consecutive releases, and the list of pages, by path below the folder of the documentation.
emit::Outputs pages(const Libraries& libraries, const emit::Templates& templates);

/// The folder of the pages, below the folder of the documentation.
inline const char* const pages_folder = "releases";

}  // namespace cubind::gen::diff

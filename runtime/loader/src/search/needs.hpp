// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "search/search_context.hpp"

namespace CUBIND_NAMESPACE::detail {

/// A row of the catalogue in the form of the loader's table.
struct CatalogueLibrary {
    explicit CatalogueLibrary(const CatalogueRow& row);
    CatalogueLibrary(const CatalogueLibrary&) = delete;
    CatalogueLibrary& operator=(const CatalogueLibrary&) = delete;

    std::string variable;  ///< name of the environment variable that overrides the search
    Library library;       ///< refers to `variable` and to the row
};

/// Loads the libraries that the catalogue names as dependencies of the library, preferably from the toolkit or the folder of
/// `file`. Adds a note for each dependency that is missing or of another toolkit. Opening the library then fails if it requires
/// the dependency.
void load_needs(SearchContext& context, const std::string& file);

}  // namespace CUBIND_NAMESPACE::detail

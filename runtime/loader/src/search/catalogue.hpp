// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/find.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace CUBIND_NAMESPACE::detail {

/// Where an artifact comes from.
enum class Origin : unsigned char {
    toolkit,  ///< the CUDA toolkit
    product,  ///< a product with its own releases
    driver,   ///< the driver; taken from the OS loader only, because another copy would not match the kernel module
};

/// Processors for which NVIDIA publishes an artifact.
enum class Processors : unsigned char { all, arm };

/// A list of names in the order of preference. At least one null pointer follows the last name.
template <std::size_t capacity>
using Names = std::array<const char*, capacity + 1>;

/// One artifact of the catalogue.
struct CatalogueRow {
    const char* name = "";                      ///< name in the public interface
    ArtifactKind kind = ArtifactKind::library;  ///< what it is
    Origin origin = Origin::toolkit;            ///< where it comes from
    Names<3> files = {};                        ///< names of the file, newest major first; of headers: one marker file
    Names<3> wheels = {};                       ///< folders below site-packages: CUDA 13, then CUDA 12
    Names<4> folders = {};                      ///< folders below the prefix of a toolkit, product or conda environment
    Names<8> needs = {};                        ///< libraries that are loaded first, in this order
    const char* variable = nullptr;             ///< variable of the product that names its prefix
    const char* override_name = nullptr;        ///< replaces `name` in the name of the override variable
    Processors processors = Processors::all;    ///< processors for which it exists
    bool binds_itself_first = false;            ///< needs RTLD_DEEPBIND
    bool is_in_system_folders = false;          ///< headers that system packages install into /usr/include
};

/// Returns all rows. Names of files, folders and dependencies that library.json does not state are in this table only.
std::span<const CatalogueRow> catalogue() noexcept;

/// Returns the row of a kind and a name; null if there is none.
const CatalogueRow* find_row(ArtifactKind kind, std::string_view name) noexcept;

/// Returns the row of the library with this soname; null if there is none.
const CatalogueRow* find_row_of_file(std::string_view soname) noexcept;

/// Returns whether the artifact exists for this processor.
bool is_on_this_platform(const CatalogueRow& row) noexcept;

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "spec/library.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {

/// One folder of golden/. It holds a header toy.h, or toy-12.0.h and toy-13.4.h for two releases, and the expected output of the
/// generator for it. Its library.json and overrides.json state only the differences from those in golden/base.
class GoldenCase {
public:
    explicit GoldenCase(const std::string& name);

    /// A release and the folders of its headers.
    struct Release {
        std::string number;
        std::vector<std::filesystem::path> includes;
        bool is_bound = true;  ///< false if the library is bound to another major
    };

    /// Returns the names of all cases, which are the folders with a toy.h or a toy-RELEASE.h.
    static std::vector<std::string> names();

    /// Returns the text of the api.json that is extracted from the headers.
    std::string facts() const { return scratch_.read("api-specs/toy/api.json"); }
    /// Returns the text of each generated file without the banner, by base name.
    std::map<std::string, std::string> generated() const;
    /// Returns the base names of the generated files that the folder has an expectation for.
    std::vector<std::string> expected_files() const;
    /// Returns the headers that a program can include without the vendor's headers.
    std::vector<std::string> public_headers() const;
    std::filesystem::path expectation(const std::string& file) const { return folder_ / file; }
    /// Returns the include folders of the generated code.
    std::vector<std::filesystem::path> includes() const;
    /// Returns the releases, oldest first; one release if the case has a toy.h.
    const std::vector<Release>& releases() const { return releases_; }
    /// Returns the lines that include the side headers and the headers of other software that they require; empty without side
    /// headers.
    const std::string& side_includes() const { return side_includes_; }
    /// Returns a folder with the replacements of these headers of other software.
    std::filesystem::path foreign_includes() const { return scratch_.below("foreign"); }
    const std::string& per_thread_macro() const { return per_thread_macro_; }

private:
    void merge(const std::string& file) const;
    void find_releases();
    void add_side_headers(const gen::spec::LibraryConfig& library);

    std::filesystem::path folder_;
    ScratchFolder scratch_;
    std::string per_thread_macro_;
    std::string side_includes_;
    std::vector<Release> releases_;
    std::map<std::string, std::string> outputs_;  ///< path to text, with the banner
};

}  // namespace cubind::testing

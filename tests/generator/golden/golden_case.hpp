// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/scratch_folder.hpp"

#include <map>
#include <string>
#include <vector>

namespace cubind::testing {

/// One folder of golden/: toy.h shows a trap, or toy-12.0.h and toy-13.4.h do as headers of two releases; what stands beside them
/// is what the generator must make of them. library.json and overrides.json state only what differs from those in golden/base.
class GoldenCase {
public:
    explicit GoldenCase(const std::string& name);

    /// A release, and the folders of its headers.
    struct Release {
        std::string number;
        std::vector<std::filesystem::path> includes;
        bool is_bound = true;  ///< else the library is bound to another major
    };

    /// Names of all cases: the folders with a toy.h or a toy-RELEASE.h.
    static std::vector<std::string> names();

    /// The text of the api.json that extract makes of the headers.
    std::string facts() const { return scratch_.read("api-specs/toy/api.json"); }
    /// Base name of each generated file to its text, without the banner.
    std::map<std::string, std::string> generated() const;
    /// Base names of the generated files whose text is expected in the case's folder.
    std::vector<std::string> expected_files() const;
    /// What a program can include without the vendor's headers.
    std::vector<std::string> public_headers() const;
    std::filesystem::path expectation(const std::string& file) const { return folder_ / file; }
    /// Folders to compile the generated code with.
    std::vector<std::filesystem::path> includes() const;
    /// Oldest first; only one where the case has a toy.h.
    const std::vector<Release>& releases() const { return releases_; }
    const std::string& per_thread_macro() const { return per_thread_macro_; }

private:
    void merge(const std::string& file) const;
    void find_releases();

    std::filesystem::path folder_;
    ScratchFolder scratch_;
    std::string per_thread_macro_;
    std::vector<Release> releases_;
    std::map<std::string, std::string> outputs_;  ///< path to text, with the banner
};

}  // namespace cubind::testing

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "clang/translation_unit.hpp"
#include "extract/header_set.hpp"
#include "kernels/kernel_file.hpp"
#include "kernels/read_kernel_file.hpp"

namespace cubind::gen::kernels {

/// The .cu file and the headers that it includes, without those of CUDA.
class UserFiles {
public:
    /// Follows the #include directives. `main` is the path that the unit was parsed with, `file` the one that messages state.
    /// Throws InputError if two headers have one name, because NVRTC finds headers by the names that are written.
    UserFiles(const clang::TranslationUnit& unit, const std::filesystem::path& main, const std::filesystem::path& file,
              const std::string& source, const ReadOptions& options);

    bool is_main(CXFile file) const { return file == main_; }
    bool is_user(CXFile file) const { return files_.contains(file); }
    const extract::HeaderText& text(CXFile file) const { return files_.at(file).text; }
    /// Returns the path of any file for messages: a path beside the .cu file begins as the user has written it.
    std::string path(CXFile file) const;
    /// Returns a place for messages, as "file:line:column".
    std::string place(const clang::Place& place) const;
    /// Returns the header that the .cu file includes to get the declarations of `file`, with the quotes.
    const std::string& host_include(CXFile file) const { return files_.at(file).host_include; }
    /// Stores the headers and the paths of all files.
    void store(KernelFile& result) const;

private:
    struct File {
        extract::HeaderText text;
        std::string host_include;
    };
    void add_headers_of(CXFile file, const clang::TranslationUnit& unit, const ReadOptions& options);

    CXFile main_;
    std::filesystem::path folder_;        ///< of the .cu file, as the compiler has it
    std::filesystem::path given_folder_;  ///< as the user has written it
    std::map<CXFile, File> files_;
    std::vector<CXFile> order_;
    std::map<std::string, CXFile> names_;  ///< files by the names in #include directives
};

}  // namespace cubind::gen::kernels

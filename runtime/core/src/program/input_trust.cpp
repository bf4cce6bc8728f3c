// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/input_trust.hpp"

#include <filesystem>
#include <string>

#include "errors/misuse.hpp"
#include "platform/file.hpp"
#include "platform/path_trust.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

void check_trusted(const char* option, const std::filesystem::path& named) {
    const std::string path = std::filesystem::absolute(named).string();
    std::string problem = trust_problem(path);
    constexpr unsigned by_others = 02;
    FileStatus status;
    const bool is_folder = problem.empty() && status_of_path(path.c_str(), status) == 0 && status.kind == FileKind::folder;
    // Everybody can add files to a folder like /tmp, although only their owners can replace them.
    if (is_folder && (status.permissions & by_others) != 0) {
        problem = concat("others can write files to ", path, ": not used; name a folder in it that belongs to you");
    }
    if (!problem.empty()) throw_misuse("ProgramOptions::", option, " is \"", named.string(), "\": ", problem);
}

}  // namespace

void check_trusted_inputs(const ProgramOptions& options) {
    if (!options.use_bundled_headers.empty()) check_trusted("use_bundled_headers", options.use_bundled_headers);
    if (options.pch && !options.pch_dir.empty()) check_trusted("pch_dir", options.pch_dir);
    if (!options.use_pch.empty()) check_trusted("use_pch", std::filesystem::path(options.pch_dir) / options.use_pch);
}

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/places.hpp"

#include "error.hpp"
#include "system.hpp"

namespace cubind::gen::commands {
namespace {

fs::path share() {
    return (own_folder() / "../share/cubind").lexically_normal();
}

fs::path installed(const char* name, const std::string& remedy) {
    fs::path folder = share() / name;
    if (fs::is_directory(folder)) return folder;
    throw InputError(folder.string() +
                     ": this folder of the installation of cubind-gen is missing. Install it again (package cubind-tools, " +
                     "or cmake --install with the component generator), " + remedy);
}

}  // namespace

fs::path installed_templates() {
    return installed("templates", "or name a folder of templates with --templates");
}

Folders find_folders(Folders named, const fs::path& root, const FolderUse& use) {
    if (!root.empty() || fs::is_directory("api-specs")) {
        const fs::path repository = root.empty() ? fs::path(".") : root;
        if (named.specs.empty()) named.specs = repository / "api-specs";
        if (named.templates.empty()) named.templates = repository / "templates";
        if (named.output.empty()) named.output = repository / "generated";
        if (named.docs.empty()) named.docs = repository / "docs";
        return named;
    }
    const std::string where =
        "the working folder is no repository of cubind, which has a folder api-specs/. Run cubind-gen in a repository";
    if (use.writes_specs && named.specs.empty())
        throw UsageError(where + ", name one with --root, or name the folder of the specs with --specs; the installed specs in " +
                         share().string() + " are not changed, but can be copied");
    if (use.uses_output && named.output.empty())
        throw UsageError(where + ", or name a folder for the generated code with --output");
    if (use.uses_docs && named.docs.empty()) throw UsageError(where + ", or name a folder for the pages with --docs");
    if (named.specs.empty())
        named.specs = installed("api-specs", "run it in a repository of cubind, or name a repository with --root");
    if (named.templates.empty()) named.templates = installed_templates();
    return named;
}

}  // namespace cubind::gen::commands

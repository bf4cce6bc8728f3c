// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "clang/translation_unit.hpp"
#include "commands/commands.hpp"
#include "error.hpp"

#include <CLI/CLI.hpp>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <iostream>

namespace {

namespace commands = cubind::gen::commands;
namespace fs = std::filesystem;

constexpr int exit_input = 1;
constexpr int exit_usage = 2;

/// Folders that the user did not name are those of the repository in `root`.
commands::Folders complete(commands::Folders folders, const fs::path& root) {
    if (folders.specs.empty()) folders.specs = root / "api-specs";
    if (folders.templates.empty()) folders.templates = root / "templates";
    if (folders.output.empty()) folders.output = root / "generated";
    if (folders.docs.empty()) folders.docs = root / "docs";
    return folders;
}

}  // namespace

int main(int argc, char** argv) {
#ifdef __GLIBC__
    // Millions of small objects on several threads: asking the system for more of them at a time saves a fifth of the time.
    mallopt(M_TOP_PAD, 16 << 20);
#endif
    CLI::App app{"cubind-gen reads NVIDIA's CUDA headers into JSON specs and turns the specs into C++.\n"
                 "Run it in the repository, or name the repository with --root.\n"};
    app.set_version_flag("--version", "cubind-gen, with " + cubind::gen::clang::libclang_version());
    app.fallthrough();

    commands::Folders folders;
    fs::path root = ".";
    app.add_option("--root", root, "the repository: holds api-specs/, templates/ and generated/")->capture_default_str();
    app.add_option("--specs", folders.specs, "folder of the specs [ROOT/api-specs]");
    app.add_option("--templates", folders.templates, "folder of the templates [ROOT/templates]");
    app.add_option("--output", folders.output, "folder of the generated code [ROOT/generated]");
    app.add_option("--docs", folders.docs, "folder of the documentation, whose releases/ holds the pages [ROOT/docs]");

    std::vector<std::string> libraries;
    std::vector<fs::path> includes;
    auto* extract = app.add_subcommand("extract", "merge the headers of one release into api-specs/LIBRARY/api.json");
    extract->add_option("LIBRARY", libraries, "driver, runtime, ...: each a folder of the specs")->required();
    extract->add_option("--include", includes, "folders with the headers of one release")->required();
    extract->footer("Example: cubind-gen extract driver runtime --include /usr/local/cuda/include");

    auto* update = app.add_subcommand("update", "take in a release: extract, merge, say what changed and what needs a person, emit");
    update->add_option("LIBRARY", libraries, "which libraries [all whose headers are there]");
    update->add_option("--include", includes, "folders with the headers of one release")->required();
    update->footer("Example: cubind-gen update --include /usr/local/cuda/include");

    commands::EmitOptions options;
    auto* emit = app.add_subcommand("emit", "turn specs and templates into code in generated/");
    emit->add_option("LIBRARY", libraries, "which libraries [all]");
    emit->add_flag("--check", options.check, "change nothing; fail and name every stale, missing or hand-edited file");
    emit->add_option("--vendor-docs", options.vendor_docs,
                     "folders with NVIDIA's headers, whose documentation is put into the output: for your own machine only, so name "
                     "another folder with --output");

    std::string before;
    std::string after;
    auto format = cubind::gen::diff::Format::text;
    const std::map<std::string, cubind::gen::diff::Format> formats = {{"text", cubind::gen::diff::Format::text},
                                                                     {"markdown", cubind::gen::diff::Format::markdown},
                                                                     {"json", cubind::gen::diff::Format::json}};
    auto* diff = app.add_subcommand("diff", "print what changed between two releases that the specs know, breaking changes first");
    diff->add_option("OLD", before, "a release, such as 12.9")->required();
    diff->add_option("NEW", after, "another, such as 13.0")->required();
    diff->add_option("--format", format, "text, markdown or json [text]")->transform(CLI::CheckedTransformer(formats));

    bool check_pages = false;
    auto* pages = app.add_subcommand("pages", "write docs/releases: what changed between neighbouring releases");
    pages->add_flag("--check", check_pages, "change nothing; fail and name every stale, missing or hand-edited page");

    std::string library;
    auto* model = app.add_subcommand("model", "print the decided model of one library as JSON, for other tools");
    model->add_option("LIBRARY", library, "which library")->required();

    auto* report = app.add_subcommand("report", "count what is bound and list every pointer parameter still undecided");
    app.footer("Exit status: 0 done, 1 the input is wrong (the message says where and what to do), 2 wrong usage.\n"
               "A new release: cubind-gen update --include DIR, then review the diff; docs/new-release.md walks through it.");

    try {
        app.parse(argc, argv);
        // Asked for here, since an unknown verb should be named before a missing one is.
        if (app.get_subcommands().empty()) throw CLI::RequiredError("A verb");
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : exit_usage;
    }
    try {
        const bool own_output = !folders.output.empty() && fs::weakly_canonical(folders.output) != fs::weakly_canonical(root / "generated");
        if (!options.vendor_docs.empty() && !own_output) {
            std::cerr << "--vendor-docs needs another --output: NVIDIA's text must not go into the repository's generated/\n";
            return exit_usage;
        }
        folders = complete(folders, root);
        if (extract->parsed()) return commands::extract(folders, libraries, includes);
        if (update->parsed()) return commands::update(folders, libraries, includes);
        if (emit->parsed()) return commands::emit(folders, libraries, options);
        if (diff->parsed()) return commands::diff(folders, before, after, format);
        if (pages->parsed()) return commands::pages(folders, check_pages);
        if (model->parsed()) return commands::model(folders, library);
        if (report->parsed()) return commands::report(folders);
        return exit_usage;
    } catch (const std::exception& error) {
        std::cerr << "cubind-gen: " << error.what() << "\n";
        return exit_input;
    }
}

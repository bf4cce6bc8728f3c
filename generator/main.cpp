// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <iostream>

#include "clang/parse_watch.hpp"
#include "clang/translation_unit.hpp"
#include "commands/commands.hpp"
#include "commands/folder_locks.hpp"
#include "commands/places.hpp"
#include "error.hpp"
#include "system.hpp"

namespace {

namespace commands = cubind::gen::commands;
namespace fs = std::filesystem;

constexpr int exit_input = 1;
constexpr int exit_usage = 2;

}  // namespace

int main(int argc, char** argv) {
    cubind::gen::prepare_heap();
    CLI::App app{
        "cubind-gen reads NVIDIA's CUDA headers into JSON specs and turns the specs into C++.\n"
        "Run it in the repository, or name the repository with --root. Elsewhere, it reads the specs and templates that are "
        "installed\n"
        "with it.\n"};
    app.set_version_flag("--version", "cubind-gen, with " + cubind::gen::clang::libclang_version());
    app.set_help_all_flag("--help-all", "Print this help message and those of all commands and exit");
    app.fallthrough();

    commands::Folders folders;
    fs::path root;
    app.add_option(
        "--root", root,
        "the repository, which holds api-specs/, templates/ and generated/ [the working folder if it has api-specs/, else "
        "the installed folder share/cubind]");
    app.add_option("--specs", folders.specs, "folder that holds the specs [ROOT/api-specs]");
    app.add_option("--templates", folders.templates, "folder that holds the templates [ROOT/templates]");
    app.add_option("--output", folders.output, "folder for the generated code [ROOT/generated]");
    app.add_option("--docs", folders.docs, "folder of the documentation; the pages are in its releases/ [ROOT/docs]");

    cubind::gen::clang::ParseLimits limits;
    app.add_option("--parse-seconds", limits.seconds, "limit for the time to read the headers of one library")
        ->check(CLI::Range(1, 86400))
        ->capture_default_str();
    app.add_option("--parse-gibibytes", limits.gibibytes, "limit for the memory of cubind-gen while it reads headers")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();

    std::vector<std::string> libraries;
    std::vector<fs::path> includes;
    auto* extract = app.add_subcommand("extract", "merge the headers of one release into api-specs/LIBRARY/api.json");
    extract->add_option("LIBRARY", libraries, "names of libraries, such as driver or runtime; each has a folder in the specs")
        ->required();
    extract->add_option("--include", includes, "folders with the headers of one release")->required();
    extract->footer("Example: cubind-gen extract driver runtime --include /usr/local/cuda/include");

    auto* update =
        app.add_subcommand("update", "add a release: extract and merge its headers, report changes and open questions, emit");
    update->add_option("LIBRARY", libraries, "libraries to update [all whose headers are in the include folders]");
    update->add_option("--include", includes, "folders with the headers of one release")->required();
    update->footer("Example: cubind-gen update --include /usr/local/cuda/include");

    commands::EmitOptions options;
    auto* emit = app.add_subcommand("emit", "generate the code in generated/ from the specs and templates");
    emit->add_option("LIBRARY", libraries, "libraries to generate [all]");
    emit->add_flag("--check", options.check, "write nothing; fail and list every stale, missing or hand-edited file");
    emit->add_option(
        "--vendor-docs", options.vendor_docs,
        "folders with NVIDIA's headers; their documentation is copied into the output. For use on your own machine only, so "
        "--output must name another folder");

    commands::DiffOptions compared;
    const std::map<std::string, cubind::gen::diff::Format> formats = {{"text", cubind::gen::diff::Format::text},
                                                                      {"markdown", cubind::gen::diff::Format::markdown},
                                                                      {"json", cubind::gen::diff::Format::json}};
    auto* diff = app.add_subcommand("diff", "print what changed between two releases in the specs, breaking changes first");
    diff->add_option("OLD", compared.before, "the earlier release, such as 12.9")->required();
    diff->add_option("NEW", compared.after, "the later release, such as 13.0")->required();
    diff->add_option("--library", compared.library,
                     "compare this library only; required for libraries with versions of their own");
    diff->add_option("--format", compared.format, "output format: text, markdown or json [text]")
        ->transform(CLI::CheckedTransformer(formats));

    bool check_pages = false;
    auto* pages =
        app.add_subcommand("pages", "write docs/releases, the pages that list what changed between consecutive releases");
    pages->add_flag("--check", check_pages, "write nothing; fail and list every stale, missing or hand-edited page");

    std::string library;
    auto* model = app.add_subcommand("model", "print the model of one library as JSON, for other tools");
    model->add_option("LIBRARY", library, "name of the library")->required();

    std::vector<fs::path> files;
    commands::KernelsOptions kernels_options;
    auto* kernels = app.add_subcommand("kernels", "write C++ headers with the kernels and variables of .cu files as functions");
    kernels->add_option("FILE", files, "files of CUDA C++; FILE.hpp and FILE.code.hpp are written to the folder --output")
        ->required();
    kernels->add_option("--include", kernels_options.includes, "a folder of your own headers, which become a part of the output")
        ->allow_extra_args(false);
    kernels->add_option("--toolkit", kernels_options.toolkit_includes, "a folder of the headers of CUDA")
        ->allow_extra_args(false);
    kernels->add_option("--option", kernels_options.compiler_options, "an option of NVRTC, such as -DWIDTH=4 or --use_fast_math")
        ->allow_extra_args(false);
    kernels
        ->add_option("--instantiate", kernels_options.instantiations,
                     "an instance of a kernel template, such as \"scale<float>\"")
        ->allow_extra_args(false);
    kernels->add_option("--namespace", kernels_options.name_space, "the namespace of the functions")->capture_default_str();
    kernels->add_option("--code", kernels_options.code,
                        "KIND:FILE, compiled code that the output contains instead of the source; KIND is ptx, cubin, lto_ir or "
                        "fatbin");
    kernels->add_option("--depfile", kernels_options.depfile, "write the names of all inputs to this file, for build systems");
    kernels->footer("Example: cubind-gen kernels saxpy.cu --output generated --instantiate \"scale<float>\"");

    auto* report = app.add_subcommand("report", "count the bound entries of each library and list every open question");
    app.footer(
        "Exit status: 0 if the command succeeded, 1 if an input is wrong (the message names the place and the remedy), 2 if the\n"
        "command line is wrong.\n"
        "To add a release, run cubind-gen update --include DIR and review the diff. docs/new-release.md describes each step.");

    try {
        app.parse(argc, argv);
        // This check is here and not in CLI11, so that an unknown command is not reported as a missing command.
        if (app.get_subcommands().empty()) throw CLI::RequiredError("A command");
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : exit_usage;
    }
    try {
        const fs::path own_code = (root.empty() ? fs::path(".") : root) / "generated";
        if (!options.vendor_docs.empty() &&
            (folders.output.empty() || fs::weakly_canonical(folders.output) == fs::weakly_canonical(own_code)))
            throw commands::UsageError(
                "--vendor-docs requires --output with another folder, because NVIDIA's text must not get into the repository's "
                "generated/");
        if (kernels->parsed()) {
            if (folders.output.empty())
                throw commands::UsageError("cubind-gen kernels requires --output, the folder for the headers");
            if (folders.templates.empty()) folders.templates = commands::installed_templates();
        } else {
            folders = commands::find_folders(folders, root,
                                             {.writes_specs = extract->parsed() || update->parsed(),
                                              .uses_output = emit->parsed() || update->parsed(),
                                              .uses_docs = pages->parsed() || update->parsed()});
        }
        cubind::gen::clang::set_parse_limits(limits);
        std::vector<fs::path> written;
        if (extract->parsed() || update->parsed()) written.push_back(folders.specs);
        if (update->parsed() || (emit->parsed() && !options.check)) written.push_back(folders.output);
        if (update->parsed() || (pages->parsed() && !check_pages)) written.push_back(folders.docs);
        // Needs no locks: it reads no specs, and each file that it writes belongs to one .cu file.
        if (kernels->parsed()) return commands::kernels(folders, files, kernels_options);
        std::vector<fs::path> read = {folders.specs};
        for (const fs::path& folder : {folders.output, folders.docs}) {
            if (!folder.empty()) read.push_back(folder);
        }
        const commands::FolderLocks locks(read, written);
        if (extract->parsed()) return commands::extract(folders, libraries, includes);
        if (update->parsed()) return commands::update(folders, libraries, includes);
        if (emit->parsed()) return commands::emit(folders, libraries, options);
        if (diff->parsed()) return commands::diff(folders, compared);
        if (pages->parsed()) return commands::pages(folders, check_pages);
        if (model->parsed()) return commands::model(folders, library);
        if (report->parsed()) return commands::report(folders);
        return exit_usage;
    } catch (const commands::UsageError& error) {
        std::cerr << "cubind-gen: " << error.what() << "\n";
        return exit_usage;
    } catch (const std::exception& error) {
        std::cerr << "cubind-gen: " << error.what() << "\n";
        return exit_input;
    }
}

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iostream>

#include "commands/commands.hpp"
#include "emit/kernel_headers.hpp"
#include "error.hpp"
#include "join_strings.hpp"
#include "kernels/compiler_options.hpp"
#include "kernels/read_kernel_file.hpp"
#include "spec/json.hpp"

namespace cubind::gen::commands {
namespace {

constexpr std::array code_kinds = {"ptx", "cubin", "lto_ir", "fatbin"};

/// Reads compiled code that is stated as KIND:FILE.
emit::CompiledKernels read_code(const std::string& code) {
    if (code.empty()) return {};
    const std::size_t colon = code.find(':');
    const std::string kind = code.substr(0, colon);
    if (colon == std::string::npos || std::find(code_kinds.begin(), code_kinds.end(), kind) == code_kinds.end())
        throw InputError("--code " + code + ": state a kind and a file, such as ptx:saxpy.ptx; the kinds are " +
                         join_strings(std::vector<std::string>(code_kinds.begin(), code_kinds.end())));
    emit::CompiledKernels compiled{kind, spec::read_text(code.substr(colon + 1))};
    if (compiled.bytes.empty()) throw InputError(code.substr(colon + 1) + ": the file is empty");
    return compiled;
}

/// Throws InputError unless the text is a name such as my::kernels.
void check_namespace(const std::string& name) {
    bool begins = true;
    const std::string text = name + "::";
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char each = text[i];
        const bool is_letter = each == '_' || (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
        const bool is_end = !begins && text.compare(i, 2, "::") == 0;
        if (!is_letter && !is_end && !(!begins && each >= '0' && each <= '9'))
            throw InputError("--namespace " + name + ": this is no name of a namespace, such as kernels or my::kernels");
        begins = is_end;
        i += is_end ? 1 : 0;
    }
}

/// Returns a path for a makefile, in which spaces and some characters are escaped.
std::string in_makefile(const std::string& path) {
    std::string escaped;
    for (const char each : path) {
        if (each == ' ' || each == '#' || each == '\\') escaped += '\\';
        if (each == '$') escaped += '$';
        escaped += each;
    }
    return escaped;
}

}  // namespace

int kernels(const Folders& folders, const std::vector<fs::path>& files, const KernelsOptions& options) {
    check_namespace(options.name_space);
    if (!options.code.empty() && files.size() > 1)
        throw InputError("--code is the code of one file, but " + std::to_string(files.size()) + " files are named");
    const gen::kernels::CompilerOptions sorted = gen::kernels::sort_compiler_options(options.compiler_options);
    gen::kernels::ReadOptions reading{.includes = options.includes,
                                      .toolkit_includes = options.toolkit_includes,
                                      .defines = sorted.defines,
                                      .instantiations = options.instantiations,
                                      .enable_tile = sorted.enable_tile,
                                      .type_prefix = "::" + options.name_space + "::"};
    if (sorted.enable_tile) reading.standard = "c++20";
    if (!sorted.standard.empty()) reading.standard = sorted.standard;
    reading.includes.insert(reading.includes.end(), sorted.includes.begin(), sorted.includes.end());
    const emit::KernelHeaderOptions writing{
        .name_space = options.name_space, .compiler_options = sorted.kept, .compiled = read_code(options.code)};
    if (sorted.enable_tile && !writing.compiled.bytes.empty() && writing.compiled.kind != "cubin")
        throw InputError("--code " + options.code + ": Tile kernels have no code of the kind " + writing.compiled.kind +
                         "; embed the source or a cubin");
    const emit::Templates templates(folders.templates);

    emit::Outputs outputs;
    std::map<std::string, fs::path> sources;  // by the names of outputs
    std::string dependencies;
    for (const fs::path& file : files) {
        gen::kernels::KernelFile read = gen::kernels::read_kernel_file(file, reading);
        read.name = file.filename().string();  // not its folder, so that headers are equal on all machines
        for (const std::string& warning : read.warnings) std::cerr << "cubind-gen: warning: " << warning << "\n";
        for (auto& [name, text] : emit::render_kernel_headers(read, writing, templates)) {
            const auto [previous, is_new] = sources.emplace(name, file);
            if (!is_new)
                throw InputError(file.string() + " and " + previous->second.string() + " would both become " + name +
                                 "; rename one of them, or write their headers to different folders");
            outputs[name] = std::move(text);
        }
        // Ninja allows one target only.
        dependencies += in_makefile((folders.output / (read.name + ".hpp")).string()) + ":";
        for (const std::string& used : read.files) dependencies += " " + in_makefile(used);
        dependencies += "\n";
    }
    emit::FileBatch batch;  // after all files were read, so that an error leaves no folder
    for (const auto& [name, text] : outputs) batch.add(folders.output / name, text);
    if (!options.depfile.empty()) batch.add(options.depfile, dependencies);
    batch.commit();
    return 0;
}

}  // namespace cubind::gen::commands

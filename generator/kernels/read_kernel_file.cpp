// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/read_kernel_file.hpp"

#include <algorithm>
#include <set>

#include "clang/translation_unit.hpp"
#include "error.hpp"
#include "kernels/check_names.hpp"
#include "kernels/check_source.hpp"
#include "kernels/declarations.hpp"
#include "kernels/host_types.hpp"
#include "kernels/instantiations.hpp"
#include "kernels/kernel_collector.hpp"
#include "kernels/prelude.hpp"
#include "kernels/source_errors.hpp"
#include "kernels/user_files.hpp"
#include "kernels/variable_collector.hpp"

namespace cubind::gen::kernels {
namespace {

constexpr const char* prelude_path = "/cubind/prelude.h";

clang::ParseOptions parse_options(const ReadOptions& options) {
    const std::string standard = options.standard == "c++23" ? "c++2b" : options.standard;
    clang::ParseOptions parse;
    // The host's headers are no part of what NVRTC reads.
    parse.arguments = {"-x", "c++", "-std=" + standard, "-ferror-limit=0", "-w", "-nostdinc", "-include", prelude_path};
    for (const auto& argument : compiler_arguments(options.toolkit_includes)) parse.arguments.push_back(argument);
    for (const auto& folder : options.includes) parse.arguments.push_back("-I" + folder.string());
    for (const auto& define : options.defines) parse.arguments.push_back("-D" + define);
    parse.replacements[prelude_path] = prelude();
    parse.records_includes = true;
    return parse;
}

std::set<std::string> device_includes(const Declarations& declarations, const UserFiles& files) {
    std::set<std::string> includes;
    for (const auto* list : {&declarations.kernels(), &declarations.templates()}) {
        for (const auto& kernel : *list) {
            if (!files.is_main(kernel.main().file())) includes.insert(files.host_include(kernel.main().file()));
        }
    }
    return includes;
}

/// Throws InputError for a kernel whose kind is not that of the options. NVRTC generates one kind of code at a time.
void check_kinds(const KernelFile& file, bool enable_tile) {
    for (const Kernel& kernel : file.kernels) {
        if (kernel.is_tile == enable_tile) continue;
        const std::string place = kernel.file + ":" + std::to_string(kernel.line) + ": the kernel '" + kernel.name + "' ";
        throw InputError(place + (enable_tile ? "is no Tile kernel, but the option --enable-tile compiles Tile kernels only; "
                                                "move it to another file"
                                              : "is a Tile kernel; add the option --enable-tile, and move other kernels to "
                                                "another file"));
    }
}

}  // namespace

KernelFile read_kernel_file(const std::filesystem::path& file, const ReadOptions& options) {
    KernelFile result;
    result.name = file.string();
    result.source = read_source(file);
    check_options(options, file);

    // The path is absolute, because libclang takes a name that begins with a dash as an option.
    const std::filesystem::path main = std::filesystem::absolute(file);
    const std::string read = with_explicit_instantiations(result.source);
    std::string source = read;
    if (!source.ends_with('\n')) source += '\n';
    const auto lines = static_cast<unsigned>(std::count(source.begin(), source.end(), '\n'));
    source += instantiation_lines(options.instantiations, file);

    const clang::TranslationUnit unit(main.string(), source, parse_options(options));
    const UserFiles files(unit, main, file, read, options);
    check_parsed(unit, files, options, lines);
    check_declarations(unit, files);

    const Declarations declarations(unit, files);
    HostTypes types(result, files, options.type_prefix, device_includes(declarations, files));
    KernelCollector(result, types, files, declarations).collect(options);
    collect_variables(result, types, files, declarations);
    check_classes(unit, files, types.used_classes());
    check_names(result);
    check_kinds(result, options.enable_tile);
    files.store(result);
    if (result.kernels.empty() && result.variables.empty()) {
        throw InputError(result.name + ": the file defines no kernel and no variable of the device" +
                         (declarations.templates().empty() ? "" : ", only templates without instances") +
                         "; add __global__ to a function, or name an instance of a template, such as scale<float, 4>");
    }
    return result;
}

}  // namespace cubind::gen::kernels

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/compile_key.hpp"

#include <cubind/check.hpp>
#include <cubind/driver/loading.hpp>
#include <cubind/driver/version.hpp>
#include <cubind/nvjitlink/loading.hpp>
#include <cubind/nvrtc/loading.hpp>
#include <cubind/nvvm/loading.hpp>
#include <cubind/nvvm/query.hpp>
#include <cubind/nvvm/status.hpp>

#include <filesystem>

#include "errors/misuse.hpp"
#include "program/input_files.hpp"
#include "program/library_build.hpp"
#include "program/program_flags.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

std::string path_of(Library& library) {
    const char* const path = library_path(library);
    return path == nullptr ? std::string() : path;
}

/// Adds the inputs that are texts. Returns why the compilation has other inputs that are not in the key, or an empty string.
std::string add_texts(CacheKeyBuilder& parts, const Compiler& compiler, const CompileJob& job, const std::string& extra_digest) {
    parts.add("compiler", compiler.name).add("version", std::to_string(compiler.version)).add("build", compiler.build);
    parts.add("target", to_string(job.target)).add("source", job.source).add("name", job.options.name);
    parts.add("digest", extra_digest);
    for (const std::string& flag : job.flags) parts.add("flag", flag);
    for (const IncludedHeader& header : job.headers) parts.add("header name", header.name).add("header text", header.text);
    for (const std::string& expression : job.name_expressions) parts.add("name expression", expression);
    // The working directory is an input, because debug information contains absolute paths.
    if (job.options.debug || job.options.lineinfo) {
        std::error_code ignored;
        parts.add("working directory", std::filesystem::current_path(ignored).string());
    }
    if (compiler.build.empty()) {
        return concat("the build of ", compiler.name, " at \"", compiler.path,
                      "\", or of a library that it loads, cannot be determined");
    }
    const std::string option = option_that_names_a_file(job.options);
    if (option.empty() || !extra_digest.empty()) return {};
    return concat("ProgramOptions::", option, " can name files whose content is not a part of the key");
}

}  // namespace

Compiler nvrtc_compiler() {
    const int version = nvrtc_version();
    std::string path = path_of(nvrtc::library());
    std::string build = nvrtc_build(path, version);
    return {"NVRTC", version, std::move(path), std::move(build)};
}

Compiler nvvm_compiler() {
    const auto [major, minor] = check(nvvm::nvvmVersion());
    std::string path = path_of(nvvm::library());
    std::string build = library_build(path);
    return {"libNVVM", 1000 * major + 10 * minor, std::move(path), std::move(build)};
}

Compiler linking_compiler(LinkerBackend backend) {
    const bool is_nvjitlink = backend == LinkerBackend::nvjitlink;
    std::string path = path_of(is_nvjitlink ? nvjitlink::library() : driver::library());
    std::string build = library_build(path);
    const int version_of_library = is_nvjitlink ? version(nvjitlink::library()) : driver::cuDriverGetVersion().value;
    return {to_string(backend), version_of_library, std::move(path), std::move(build)};
}

CompileKey cpp_key(const Compiler& compiler, const CompileJob& job, const std::vector<std::string>& toolkit,
                   const std::string& extra_digest) {
    CacheKeyBuilder parts;
    std::string problem = add_texts(parts, compiler, job, extra_digest);
    const std::string problem_of_files = add_input_files(parts, job, toolkit);
    if (problem.empty() && extra_digest.empty()) problem = problem_of_files;
    return {parts.key(), std::move(problem)};
}

CompileKey nvvm_key(const Compiler& compiler, const CompileJob& job, const std::string& libdevice,
                    const std::string& extra_digest) {
    CacheKeyBuilder parts;
    std::string problem = add_texts(parts, compiler, job, extra_digest);
    for (const ExtraSource& each : job.options.extra_sources) parts.add("module name", each.name).add("module", each.text);
    parts.add("libdevice", libdevice);
    return {parts.key(), std::move(problem)};
}

CompileKey ptx_key(const Compiler& compiler, const CompileJob& job, const std::string& extra_digest) {
    CacheKeyBuilder parts;
    std::string problem = add_texts(parts, compiler, job, extra_digest);
    return {parts.key(), std::move(problem)};
}

}  // namespace CUBIND_NAMESPACE::detail

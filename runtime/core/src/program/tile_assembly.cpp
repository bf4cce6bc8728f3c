// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/tile_assembly.hpp"

#include <cubind/driver/strings.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/error.hpp>
#include <cubind/find.hpp>

#include <filesystem>
#include <system_error>
#include <utility>

#include "errors/missing_file.hpp"
#include "errors/misuse.hpp"
#include "platform/environment.hpp"
#include "platform/run_program.hpp"
#include "program/library_build.hpp"
#include "program/options/architecture.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

namespace fs = std::filesystem;

Error failure(driver::CUresult status, const std::string& why) {
    return Error("tileiras", "tileiras", static_cast<int>(status), driver::to_string(status), why);
}

std::string found(ArtifactKind kind, const char* name, const std::string& purpose) {
    const Location location = locate(kind, name);
    if (!location.ok()) throw_missing_file("tileiras", "tileiras", concat(purpose, location.message));
    return location.path;
}

/// Returns the first of these files that exists, or an empty string.
std::string existing(const std::vector<fs::path>& files) {
    std::error_code ignored;
    for (const fs::path& file : files) {
        if (fs::is_regular_file(file, ignored)) return file.string();
    }
    return {};
}

// Where tileiras looks for libNVVM in the folder CUDA_HOME: the layout of the wheels, and that of a toolkit.
constexpr const char* wheel_file = "lib/libnvvm.so.4";
constexpr const char* toolkit_file = "nvvm/lib64/libnvvm.so";

/// Returns the folder CUDA_HOME that has the library.
fs::path home_of(const std::string& libnvvm) {
    const fs::path home = fs::path(libnvvm).parent_path().parent_path();
    return home.filename() == "nvvm" ? home.parent_path() : home;
}

/// Returns the environment in which tileiras uses these files: libNVVM in the folder CUDA_HOME, and ptxas there or in PATH.
/// Without it, tileiras may use those of another release, which CUDA_HOME names, and its message does not say so.
std::vector<std::string> environment_for(const TileAssembler& assembler) {
    std::string path = concat("PATH=", fs::path(assembler.ptxas).parent_path().string());
    if (const char* const value = environment_variable("PATH"); value != nullptr && *value != '\0')
        path.append(":").append(value);
    return {concat("CUDA_HOME=", home_of(assembler.libnvvm).string()), std::move(path)};
}

}  // namespace

TileAssembler find_tile_assembler() {
    TileAssembler assembler;
    assembler.program = found(ArtifactKind::program, "tileiras", "Tile IR is compiled by NVIDIA's tileiras. ");
    const std::string purpose = concat(assembler.program, " compiles Tile IR with ptxas and libNVVM of its release. ");
    const fs::path toolkit = fs::path(assembler.program).parent_path().parent_path();
    assembler.ptxas = existing({toolkit / "bin/ptxas"});
    if (assembler.ptxas.empty()) assembler.ptxas = found(ArtifactKind::program, "ptxas", purpose);
    assembler.libnvvm = existing({toolkit / wheel_file, toolkit / toolkit_file});
    if (!assembler.libnvvm.empty()) return assembler;
    const std::string other = found(ArtifactKind::library, "nvvm", purpose);
    const fs::path home = home_of(other);
    assembler.libnvvm = existing({home / wheel_file, home / toolkit_file});
    if (assembler.libnvvm.empty()) {  // tileiras would only say that it failed
        throw_missing_file("tileiras", "tileiras",
                           concat(purpose, "It looks for ", wheel_file, " and ", toolkit_file, ", but ", home.string(),
                                  " has neither: make ", (home / toolkit_file).string(), " a link to ", other));
    }
    return assembler;
}

Compiler tile_compiler(const TileAssembler& assembler) {
    std::string build;
    for (const std::string& file : {assembler.program, assembler.ptxas, assembler.libnvvm}) {
        const std::string part = file_build(file);
        if (part.empty()) return {"tileiras", 0, assembler.program, {}};
        build.append(part).append(" ");
    }
    return {"tileiras", 0, assembler.program, std::move(build)};
}

void check_tile_architecture(const std::string& arch) {
    constexpr unsigned first = 80;
    const auto architecture = parse_architecture(arch);
    if (!architecture || architecture->is_virtual)
        throw_misuse("ProgramOptions::arch is \"", arch, "\", but Tile IR is compiled for a real architecture, such as sm_90");
    if (architecture->number < first)
        throw_misuse("the architecture is \"", arch, "\", but Tile kernels need sm_", first, " or newer");
}

bool is_tile_ir(std::string_view bytes) noexcept {
    return bytes.starts_with("\x7FTileIR");
}

Compiled assemble_tile_ir(const TileAssembler& assembler, const CompileJob& job) {
    std::vector<std::string> arguments = job.flags;
    arguments.insert(arguments.end(), {"-o", path_of_program_output(), path_of_program_input()});
    const ProgramResult result =
        run_program(assembler.program, arguments, job.source.data(), job.source.size(), environment_for(assembler));
    if (result.error != 0) {
        throw_missing_file("tileiras", "tileiras",
                           concat(assembler.program, " could not be run: ", std::generic_category().message(result.error)));
    }
    if (result.status != 0 || result.output.empty()) {
        const std::string advice =
            concat(". ", assembler.program, " was run with ", assembler.ptxas, " and ", assembler.libnvvm,
                   ", which must be of its release. It reads Tile IR of its own release and of earlier ones");
        throw compile_error(failure(driver::CUDA_ERROR_INVALID_SOURCE,
                                    concat("Tile IR could not be compiled (status ", result.status, " of tileiras)")),
                            job, advice, result.errors);
    }
    return {Bytes::copy_of(result.output.data(), result.output.size()), {}, result.errors, PchStatus::none};
}

}  // namespace CUBIND_NAMESPACE::detail

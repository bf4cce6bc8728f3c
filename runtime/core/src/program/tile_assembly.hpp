// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "program/compile_job.hpp"
#include "program/compile_key.hpp"

/// Machine code of CUDA Tile IR, by NVIDIA's program tileiras.
namespace CUBIND_NAMESPACE::detail {

/// tileiras, and the files of CUDA that it needs.
struct TileAssembler {
    std::string program;
    std::string ptxas;
    std::string libnvvm;
};

/// Returns tileiras with what it needs: the files in its own toolkit, else those that locate() finds. Throws LoadError, which
/// names what is missing and where it was looked for.
[[nodiscard]] TileAssembler find_tile_assembler();

/// Returns the assembler as an input of keys.
[[nodiscard]] Compiler tile_compiler(const TileAssembler& assembler);

/// Throws std::invalid_argument unless the architecture is a real one that has Tile kernels.
void check_tile_architecture(const std::string& arch);

/// Returns whether bytes begin as Tile IR.
[[nodiscard]] bool is_tile_ir(std::string_view bytes) noexcept;

/// Compiles Tile IR, the job's source, to a cubin with the job's flags, or throws CompileError.
[[nodiscard]] Compiled assemble_tile_ir(const TileAssembler& assembler, const CompileJob& job);

}  // namespace CUBIND_NAMESPACE::detail

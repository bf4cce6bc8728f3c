// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/linker.hpp>
#include <cubind/core/program/program_cache_key.hpp>

#include <string>
#include <vector>

#include "program/compile_job.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The library that compiles.
struct Compiler {
    const char* name;
    int version;
    std::string path;
    /// The build of the library from library_build(); empty if it is unknown.
    std::string build;
};

/// Returns NVRTC. Throws Error if there is none.
[[nodiscard]] Compiler nvrtc_compiler();
/// Returns libNVVM. Throws Error if there is none.
[[nodiscard]] Compiler nvvm_compiler();
/// Returns the library that links.
[[nodiscard]] Compiler linking_compiler(LinkerBackend backend);

/// The key of a compilation in caches.
struct CompileKey {
    CacheKey key;
    /// Why the key lacks an input, so that caches must not be used; empty if the key contains all inputs.
    std::string problem;
};

/// Returns the key for a compilation of C++. `toolkit` are the folders of the toolkit's headers.
[[nodiscard]] CompileKey cpp_key(const Compiler& compiler, const CompileJob& job, const std::vector<std::string>& toolkit,
                                 const std::string& extra_digest);
/// Returns the key for a compilation of NVVM IR. `libdevice` is the content of the library of device functions that is linked.
[[nodiscard]] CompileKey nvvm_key(const Compiler& compiler, const CompileJob& job, const std::string& libdevice,
                                  const std::string& extra_digest);
/// Returns the key for a compilation of PTX or of Tile IR.
[[nodiscard]] CompileKey ptx_key(const Compiler& compiler, const CompileJob& job, const std::string& extra_digest);

}  // namespace CUBIND_NAMESPACE::detail

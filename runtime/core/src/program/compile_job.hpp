// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cubind::detail {

/// One compile of C++, with all that the compiler is given.
struct CompileJob {
    const std::string& source;
    std::span<const IncludedHeader> headers;
    std::span<const std::string> name_expressions;
    CodeType target;
    ProgramOptions options;          ///< with an architecture
    std::vector<std::string> flags;  ///< what the options became, and the toolkit's headers
    bool has_cache = false;
};

struct Compiled {
    Bytes code;
    SymbolMapping symbol_mapping;
    std::string log;
    std::optional<PchStatus> pch_status;
};

/// 13040 for NVRTC of CUDA 13.4. Throws Error where there is no NVRTC.
int nvrtc_version();

/// Throws CompileError.
Compiled compile_with_nvrtc(const CompileJob& job);

}  // namespace cubind::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/program.hpp>
#include <cubind/error.hpp>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// The complete input of one compilation.
struct CompileJob {
    const std::string& source;
    std::span<const IncludedHeader> headers;
    std::span<const std::string> name_expressions;
    CodeType target;
    ProgramOptions options;          ///< options, whose architecture is set
    std::vector<std::string> flags;  ///< flags for the options and for the folder of the toolkit's headers
};

/// The result of a compilation.
struct Compiled {
    Bytes code;
    SymbolMapping symbol_mapping;
    std::string log;
    PchStatus pch_status = PchStatus::none;
};

/// Returns the release of NVRTC, 13040 for CUDA 13.4. Throws Error if there is no NVRTC (nvrtcVersion).
int nvrtc_version();

/// Compiles C++, or throws CompileError. `advice` returns what is said after the first error of a log; empty if nothing.
Compiled compile_with_nvrtc(const CompileJob& job, const std::function<std::string(const std::string& log)>& advice);

/// Compiles NVVM IR, or throws CompileError. `libdevice` is the content of CUDA's library of device functions; empty if it is not
/// linked.
Compiled compile_with_nvvm(const CompileJob& job, const std::string& libdevice);

/// Returns the error for a compilation that failed. Its message states the program, the target and the architecture, the first
/// error, and the advice, then the log.
CompileError compile_error(const Error& failure, const CompileJob& job, const std::string& advice, const std::string& log);

/// Returns the advice for an architecture that this NVRTC does not support; empty if it supports the architecture.
std::string advice_on_architecture(const std::string& name);

}  // namespace CUBIND_NAMESPACE::detail

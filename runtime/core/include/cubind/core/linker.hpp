// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/linker_options.hpp>
#include <cubind/core/object_code.hpp>

#include <string>
#include <vector>

namespace cubind {

/// What links: nvJitLink, a library of the toolkit, or the driver, which knows neither LTO-IR nor PTX that is newer than itself.
enum class LinkerBackend { nvjitlink, driver };

/// "nvJitLink" or "driver".
const char* to_string(LinkerBackend backend) noexcept;

/// Joins code that was compiled apart: PTX, cubins, LTO-IR, fat binaries, object files and libraries. A value that keeps its inputs and
/// may link more than once; for one thread at a time.
///
///     Linker linker{{first, second}, {.arch = "sm_90"}};
///     Kernel kernel = linker.link(CodeType::cubin).kernel("main_kernel");
class Linker {
public:
    /// Takes nvJitLink of CUDA 12.3 or newer, else the driver's linker. Throws std::invalid_argument for no inputs and for options that
    /// contradict each other.
    explicit Linker(std::vector<ObjectCode> objects, LinkerOptions options = {});

    /// Links to a cubin, or to PTX where all inputs are LTO-IR, for the architecture of the options, else for that of the current
    /// device. Inputs that are LTO-IR turn link_time_optimization on. Throws LinkError, which names undefined symbols, with the
    /// linker's log, and std::invalid_argument for what this linker cannot do (nvJitLinkComplete, cuLinkComplete).
    ObjectCode link(CodeType target = CodeType::cubin);

    /// What the latest link() wrote: remarks of one that succeeded, and what was wrong with one that failed.
    const std::string& info_log() const noexcept { return info_log_; }
    const std::string& error_log() const noexcept { return error_log_; }

    LinkerBackend backend() const noexcept { return backend_; }
    /// Why nvJitLink is not used; empty where it is.
    const std::string& fallback_reason() const noexcept { return fallback_reason_; }

    const LinkerOptions& options() const noexcept { return options_; }

    /// What Linkers of this process use.
    static LinkerBackend which_backend();

private:
    std::vector<ObjectCode> objects_;
    LinkerOptions options_;
    LinkerBackend backend_;
    std::string fallback_reason_;
    std::string info_log_;
    std::string error_log_;
};

}  // namespace cubind

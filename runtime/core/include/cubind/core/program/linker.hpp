// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/linker_options.hpp>
#include <cubind/core/program/object_code.hpp>

#include <string>
#include <vector>

namespace CUBIND_NAMESPACE {

/// The library that links.
enum class LinkerBackend {
    nvjitlink,  ///< nvJitLink of the toolkit
    driver,     ///< the driver, which accepts neither LTO-IR nor PTX that is newer than the driver
};

/// Returns "nvJitLink" or "driver".
[[nodiscard]] CUBIND_EXPORT const char* to_string(LinkerBackend backend) noexcept;

/// Links code that was compiled separately: PTX, cubins, LTO-IR, fat binaries, object files and libraries. A value that retains
/// its inputs and can link more than once. Only one thread at a time may use it.
///
///     Linker linker{{first, second}, {.arch = "sm_90"}};
///     Kernel kernel = linker.link(CodeType::cubin).kernel("main_kernel");
class CUBIND_EXPORT Linker {
public:
    /// Creates a linker that uses nvJitLink of CUDA 12.3 or newer, or the driver's linker if it is not installed. Throws
    /// std::invalid_argument if there are no inputs, and for options that contradict each other.
    explicit Linker(std::vector<ObjectCode> objects, LinkerOptions options = {});

    /// Links to a cubin, or to PTX if all inputs are LTO-IR or fat binaries of it (nvJitLinkComplete, cuLinkComplete). The code
    /// is for the architecture in the options, or for the current device if the options state no architecture. Inputs of LTO-IR
    /// enable link_time_optimization. If the current device is simulated and the cubin is for it, links to PTX: inputs of PTX
    /// with the driver, without the options for machine code, and inputs of LTO-IR with nvJitLink. Throws LinkError with the
    /// linker's log, which names undefined symbols, and std::invalid_argument for options and targets that this linker does not
    /// support.
    [[nodiscard]] ObjectCode link(CodeType target = CodeType::cubin);

    /// Returns the remarks of the latest link().
    [[nodiscard]] const std::string& info_log() const noexcept { return info_log_; }
    /// Returns the errors of the latest link(), if it failed.
    [[nodiscard]] const std::string& error_log() const noexcept { return error_log_; }

    /// Returns the library that links; after link(), the library that the latest link() used.
    [[nodiscard]] LinkerBackend backend() const noexcept { return backend_; }
    /// Returns why nvJitLink is not used; empty if it is used.
    [[nodiscard]] const std::string& fallback_reason() const noexcept { return fallback_reason_; }

    /// Returns the options that the Linker was constructed with.
    [[nodiscard]] const LinkerOptions& options() const noexcept { return options_; }

    /// Returns the library that Linkers of this process use.
    [[nodiscard]] static LinkerBackend which_backend();

private:
    std::vector<ObjectCode> objects_;
    LinkerOptions options_;
    LinkerBackend backend_;
    std::string fallback_reason_;
    std::string info_log_;
    std::string error_log_;
};

}  // namespace CUBIND_NAMESPACE

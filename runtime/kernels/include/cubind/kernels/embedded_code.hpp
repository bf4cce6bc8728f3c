// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/object_code.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace CUBIND_NAMESPACE {

class EmbeddedCode;
class ProgramCache;

namespace detail {

class EmbeddedCodeState;
struct EmbeddedCodeAccess;

}  // namespace detail

/// A header that the source of an EmbeddedCode includes, and that is a part of the program, too.
struct EmbeddedHeader {
    std::string_view name;  ///< name in the `#include` directive
    std::string_view text;  ///< content of the header
};

/// What an EmbeddedCode consists of. All texts and arrays must exist as long as the EmbeddedCode.
struct EmbeddedCodeContent {
    /// The name of the file, for the messages of compilers.
    std::string_view name;
    /// CUDA C++, or the bytes of compiled code.
    std::string_view code;
    /// The kind of compiled code: PTX, a cubin, LTO-IR or a fat binary; std::nullopt for CUDA C++.
    std::optional<CodeType> compiled = {};
    /// The headers that CUDA C++ includes, besides those of the toolkit.
    std::span<const EmbeddedHeader> headers = {};
    /// Options of NVRTC, one per element, such as "--std=c++20". They must not name files.
    std::span<const std::string_view> options = {};
    /// Expressions that name the instances of kernel templates, and the variables; see CompileOptions::name_expressions.
    std::span<const std::string_view> name_expressions = {};
};

/// Code of kernels that is a part of the program, usually in a header that `cubind-gen kernels` has written. It is compiled, or
/// linked, and loaded at first use, once for each architecture of the devices that it runs on. The program cache stores the
/// result (set_embedded_code_cache()). Any thread may use it; several threads that need it at once wait for one of them.
///
/// An object has static storage duration and is constant-initialized: it needs no order of initialization and costs nothing
/// before its first use. Its code remains loaded until the process ends, or until an EmbeddedCodeScope of it is destroyed.
class EmbeddedCode {
public:
    /// Compiles nothing.
    constexpr explicit EmbeddedCode(const EmbeddedCodeContent& content) noexcept : content_(content) {}
    EmbeddedCode(const EmbeddedCode&) = delete;
    EmbeddedCode& operator=(const EmbeddedCode&) = delete;

    /// Returns the code for the architecture of the device. At first use, compiles CUDA C++ (Program::compile()), and links
    /// LTO-IR (Linker::link()). For a simulated device, the result is PTX. Throws CompileError and LinkError with the log of the
    /// compiler; the next call tries again.
    [[nodiscard]] CUBIND_EXPORT ObjectCode object_code(const Device& device) const;

    /// Returns what the code consists of.
    [[nodiscard]] constexpr const EmbeddedCodeContent& content() const noexcept { return content_; }

private:
    friend struct detail::EmbeddedCodeAccess;

    EmbeddedCodeContent content_;
    mutable std::atomic<detail::EmbeddedCodeState*> state_{nullptr};
};

/// Unloads an EmbeddedCode when it is destroyed. Generated headers contain one for each EmbeddedCode, so that a plugin releases
/// its kernels when it is unloaded. The code must not be in use then; it is loaded again at its next use.
class EmbeddedCodeScope {
public:
    /// `code` must exist longer than this object.
    explicit EmbeddedCodeScope(const EmbeddedCode& code) noexcept : code_(code) {}
    EmbeddedCodeScope(const EmbeddedCodeScope&) = delete;
    EmbeddedCodeScope& operator=(const EmbeddedCodeScope&) = delete;
    CUBIND_EXPORT ~EmbeddedCodeScope();

private:
    const EmbeddedCode& code_;
};

/// Sets the cache in which the compilers of all EmbeddedCode look up their results. By default it is a FileProgramCache with the
/// default options. nullptr turns caching off. Affects later compilations. Any thread may call it.
CUBIND_EXPORT void set_embedded_code_cache(std::shared_ptr<ProgramCache> cache);

namespace detail {

/// A kernel that an EmbeddedKernel has loaded; nullptr until it has, and always nullptr if the kernel differs between devices.
using LoadedKernel = std::atomic<const Kernel*>;

/// What identifies a kernel of an EmbeddedCode.
struct EmbeddedKernelName {
    const char* symbol;      ///< symbol in the code; nullptr if it is not known before the compilation
    const char* expression;  ///< name expression of the kernel; nullptr if it has none
};

/// Returns the kernel for the device. At first use, loads it and compares its parameters with the types. Stores it in `loaded` if
/// it is the same for all devices.
CUBIND_EXPORT const Kernel& embedded_kernel(const EmbeddedCode& code, const EmbeddedKernelName& name, const unsigned int* types,
                                            const Device& device, LoadedKernel& loaded);

}  // namespace detail

}  // namespace CUBIND_NAMESPACE

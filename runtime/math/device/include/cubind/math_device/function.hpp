// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/dim3.hpp>
#include <cubind/core/program/linker_options.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace CUBIND_NAMESPACE {

class ProgramCache;

}  // namespace CUBIND_NAMESPACE

namespace CUBIND_NAMESPACE::math::device {

namespace detail {
class FunctionState;
}

/// Which threads compute one result.
enum class Execution {
    block,   ///< all threads of a block together; each of them must call the function
    thread,  ///< each thread its own
};

/// A function of libmathdx that a kernel calls: the common part of Fft, Gemm, Solver and Random. A handle: copies are cheap and
/// share the code. Any thread may use it. Its users do three things:
///
///     Program program(fft.declaration() + source, {.arch = fft.arch(), .link_time_optimization = true});
///     Kernel kernel = fft.link(program.compile(CodeType::lto_ir)).kernel("spectrum");
///     launch(stream, {.grid = n, .block = fft.block(), .shared_memory_size = fft.shared_memory_size()}, kernel, data);
///
/// libmathdx of another minor version than 0.4 is refused, because its interface may change.
class CUBIND_EXPORT Function {
public:
    /// Returns the name by which device code calls the function.
    [[nodiscard]] const std::string& symbol() const;
    /// Returns the architecture of the code, such as "sm_90".
    [[nodiscard]] const std::string& arch() const;
    /// Returns the description as text, as in messages.
    [[nodiscard]] const std::string& description() const;

    /// Returns CUDA C++ that declares the function and, as SYMBOL_traits, its constants. Put it before the source of the kernel.
    /// It needs no header.
    [[nodiscard]] const std::string& declaration() const;

    /// Returns the block that the function needs; {1, 1, 1} if any block may call it.
    [[nodiscard]] Dim3 block() const;
    /// Returns the size of the shared memory that the function needs, with its operands if they are in shared memory, in bytes.
    [[nodiscard]] std::size_t shared_memory_size() const;

    /// Returns the function as LTO-IR, and what it is linked with. The first call compiles (some seconds), unless the cache has
    /// the result; other threads wait for it. Throws CompileError with the log, and Error for other failures of libmathdx. A
    /// later call tries again after a failure (*FinalizeCode, commondxGetCodeLTOIR).
    [[nodiscard]] std::vector<ObjectCode> code() const;

    /// Links LTO-IR of the caller with the function; see device::link().
    [[nodiscard]] ObjectCode link(const ObjectCode& caller, LinkerOptions options = {}, CodeType target = CodeType::cubin) const;

protected:
    /// Creates the function of a description.
    explicit Function(std::shared_ptr<detail::FunctionState> state) noexcept;

    /// Returns what all copies share. Throws std::invalid_argument if this object was moved from.
    detail::FunctionState& state() const;

private:
    std::shared_ptr<detail::FunctionState> state_;
};

/// Links LTO-IR with the functions that it calls, to a cubin, or to PTX for a simulated device (Linker). CodeType::ptx as the
/// target makes PTX, which later architectures run, too. The code is for the architecture in the options, otherwise for that of
/// the functions. Throws std::invalid_argument for functions of different architectures or with equal symbols, and the exceptions
/// of Function::code() and Linker::link().
[[nodiscard]] CUBIND_EXPORT ObjectCode link(std::vector<ObjectCode> callers, const std::vector<Function>& functions,
                                            LinkerOptions options = {}, CodeType target = CodeType::cubin);

}  // namespace CUBIND_NAMESPACE::math::device

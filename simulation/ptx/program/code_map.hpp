// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ptx/program/program.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

struct Function;

/// What a running kernel needs to know of its module: the functions that it calls through pointers, the kernels that it launches,
/// and positions for messages. KernelCode of decode/ implements it. Thread-safe.
class CodeMap {
public:
    CodeMap() = default;
    CodeMap(const CodeMap&) = delete;
    CodeMap& operator=(const CodeMap&) = delete;
    virtual ~CodeMap() = default;

    /// Returns the code of the kernel itself.
    virtual const Program& kernel() const noexcept = 0;
    /// Returns the decoded function, which is decoded when it is first needed.
    virtual const Program& function(const Function& function) = 0;
    /// Returns the function at an address, or null.
    virtual const Function* function_at(std::uint64_t address) const noexcept = 0;
    /// Returns the code of another kernel of the module; null if there is no such kernel.
    virtual CodeMap* find_kernel(std::string_view name) const = 0;
    /// Describes a position for messages: the line of the PTX, and that of the source where it is known.
    virtual std::string describe(const SourcePosition& position) const = 0;
    /// Returns whether addresses of shared memory have the rank of their block.
    virtual bool uses_clusters() const noexcept = 0;
};

}  // namespace CUBIND_NAMESPACE::sim::ptx

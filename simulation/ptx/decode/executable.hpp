// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "ptx/fidelity/instruction_counts.hpp"
#include "ptx/program/code_map.hpp"
#include "ptx/run/memory.hpp"
#include "ptx/text/syntax.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

class Executable;

/// Where the shared variables of a kernel, and of the functions that it may call, are.
struct SharedLayout {
    std::map<std::string_view, std::size_t> module_variables;                          ///< by name
    std::map<std::pair<const Function*, std::string_view>, std::size_t> in_functions;  ///< static variables of functions
    std::size_t bytes = 0;
};

/// The code that a kernel runs: its own, and copies of the functions that it calls. The addresses of shared variables differ
/// between kernels. Thread-safe.
class KernelCode final : public CodeMap {
public:
    KernelCode(const Executable& executable, const Function& kernel);

    const Program& kernel() const noexcept override { return *kernel_; }
    const Program& function(const Function& function) override;
    const Function* function_at(std::uint64_t address) const noexcept override;
    CodeMap* find_kernel(std::string_view name) const override;
    std::string describe(const SourcePosition& position) const override;
    bool uses_clusters() const noexcept override;
    /// Returns the program of a function for a call of it. The program may have no code yet: function() decodes it after the
    /// functions that it decodes now. Decoding does not recurse, because calls can be a long chain.
    Program& begin(const Function& function);
    const SharedLayout& shared() const noexcept { return shared_; }
    const Executable& executable() const noexcept { return executable_; }
    /// Returns the counts of executed instructions, or null if nothing is counted.
    KernelCounts* counts() const noexcept { return counts_.get(); }

private:
    void decode_one(const Function& function);
    void make_builtin(const Function& function, Program& program);

    const Executable& executable_;
    SharedLayout shared_;
    const Fidelity required_;
    const std::unique_ptr<KernelCounts> counts_;
    std::mutex mutex_;
    std::map<const Function*, std::unique_ptr<Program>> programs_;
    std::vector<const Function*> begun_;  ///< functions that function() decodes now
    const Program* kernel_ = nullptr;
};

/// The code of a module in a context, with the addresses of its variables. Thread-safe.
class Executable {
public:
    /// Finds the address of a variable of the module, or the handle of a texture. Returns nothing if there is none.
    using FindVariable = std::function<std::optional<std::uint64_t>(std::string_view name)>;

    Executable(std::shared_ptr<const Code> code, int version, int target, FindVariable find_variable);

    /// Returns the code of a kernel, which is decoded when it is first needed; null if there is no such kernel.
    KernelCode* find_kernel(std::string_view name) const;

    /// Returns the address of a variable or of a function of the module.
    std::optional<std::uint64_t> find_symbol(std::string_view name) const;
    /// Returns the address of a function, for calls through pointers. It is in the code window.
    std::uint64_t address_of(const Function& function) const noexcept;
    /// Returns the function at an address, or null.
    const Function* function_at(std::uint64_t address) const noexcept;
    /// Describes a position for messages: the line of the PTX, and that of the source where it is known.
    std::string describe(const SourcePosition& position) const;

    const std::shared_ptr<const Code> code;
    const int version;  ///< of the PTX: 1000 * major + 10 * minor
    const int target;   ///< compute capability of the PTX: 10 * major + minor
    const FindVariable find_variable;
    /// Whether an instruction may refer to clusters, so that addresses of shared memory have the rank of their block.
    const bool uses_clusters;

private:
    mutable std::mutex mutex_;
    mutable std::map<std::string, std::unique_ptr<KernelCode>, std::less<>> kernels_;
};

}  // namespace CUBIND_NAMESPACE::sim::ptx

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "objects/memory/allocation.hpp"
#include "objects/module/code_registry.hpp"
#include "objects/module/function.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Code in a context: its functions, and the memory of its variables. Immutable between load() and unload().
class Module {
public:
    /// Settings of a library's kernels, which functions share. Empty for a module that a program has loaded.
    using GeneralSettings = std::vector<std::shared_ptr<const KernelSettings>>;

    Module(driver::CUmodule own_handle, std::shared_ptr<Context> owner, std::shared_ptr<const ptx::ModuleInterface> own_image,
           bool own_is_library_module, CodeRegistry& registry)
        : handle(own_handle),
          context(std::move(owner)),
          image(std::move(own_image)),
          is_library_module(own_is_library_module),
          registry_(registry) {}

    /// Allocates the variables and registers the functions. `general` has one element for each kernel, or is empty.
    driver::CUresult load(const GeneralSettings& general);
    /// Frees the variables and unregisters the functions.
    void unload();

    /// Returns the function of this name, or null.
    const Function* find_function(std::string_view name) const;
    /// Returns the memory of the variable of this name, or null. Sets `description` to the variable.
    const Allocation* find_variable(std::string_view name, const ptx::Variable*& description) const;
    const std::vector<std::shared_ptr<Function>>& functions() const noexcept { return functions_; }

    const driver::CUmodule handle;
    const std::shared_ptr<Context> context;
    const std::shared_ptr<const ptx::ModuleInterface> image;
    const bool is_library_module;

private:
    struct VariableMemory {
        const ptx::Variable* variable = nullptr;
        std::shared_ptr<Allocation> memory;
    };

    driver::CUresult allocate_variables();
    void make_executable();
    void initialize(const VariableMemory& entry) const;
    std::optional<std::uint64_t> find_address(const std::string& symbol) const;

    CodeRegistry& registry_;
    std::shared_ptr<ptx::Executable> executable_;       ///< null for machine code
    std::vector<std::shared_ptr<Function>> functions_;  ///< in the order of the kernels in the image
    std::map<std::string_view, VariableMemory> variables_;
};

/// Loads code into a context and registers the module.
driver::CUresult load_module(CodeRegistry& registry, const std::shared_ptr<Context>& context,
                             const std::shared_ptr<const ptx::ModuleInterface>& image, std::shared_ptr<Module>& module,
                             bool is_library_module = false, const Module::GeneralSettings& general = {});

}  // namespace CUBIND_NAMESPACE::sim

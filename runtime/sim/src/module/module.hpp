// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "kernel/function.hpp"
#include "memory/allocation.hpp"

namespace cubind::sim {

/// Code in a context: its functions, and memory for its variables. Does not change between load() and unload().
class Module {
public:
    /// Settings that functions share with the kernels of a library; null for a module that a program has loaded.
    using GeneralSettings = std::vector<std::shared_ptr<const KernelSettings>>;

    Module(CUmodule own_handle, std::shared_ptr<Context> owner, std::shared_ptr<const ptx::Image> code, bool belongs_to_library)
        : handle(own_handle), context(std::move(owner)), image(std::move(code)), is_of_library(belongs_to_library) {}

    /// Takes memory for the variables and makes the functions known. `general` has one for each kernel, or is empty.
    CUresult load(const GeneralSettings& general);
    /// Takes both back.
    void unload();

    /// Null where there is none of this name.
    const Function* find_function(std::string_view name) const;
    const Allocation* find_variable(std::string_view name, const ptx::Variable*& description) const;
    const std::vector<std::shared_ptr<Function>>& functions() const noexcept { return functions_; }

    const CUmodule handle;
    const std::shared_ptr<Context> context;
    const std::shared_ptr<const ptx::Image> image;
    const bool is_of_library;

private:
    struct Place {
        const ptx::Variable* variable;
        std::shared_ptr<Allocation> memory;
    };

    CUresult take_memory();
    void initialize(const Place& place) const;

    std::vector<std::shared_ptr<Function>> functions_;  ///< in the order of the code
    std::map<std::string_view, Place> variables_;
};

/// Loads code into a context and makes the module known.
CUresult load_module(const std::shared_ptr<Context>& context, const std::shared_ptr<const ptx::Image>& image,
                     std::shared_ptr<Module>& module, bool is_of_library = false, const Module::GeneralSettings& general = {});

}  // namespace cubind::sim

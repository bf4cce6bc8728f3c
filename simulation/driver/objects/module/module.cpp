// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/module/module.hpp"

#include <cstring>

#include "objects/memory/address_space.hpp"
#include "objects/memory/allocate.hpp"
#include "objects/memory/memory_map.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

CUresult Module::load(const GeneralSettings& general) {
    if (const CUresult status = allocate_variables()) return status;
    make_executable();
    for (const auto& [name, entry] : variables_) initialize(entry);
    for (std::size_t i = 0; i < image->kernels.size(); ++i) {
        functions_.push_back(add_new(registry_.functions, handle, context, image, image->kernels[i], executable_,
                                     i < general.size() ? general[i] : nullptr));
    }
    return CUDA_SUCCESS;
}

CUresult Module::allocate_variables() {
    for (const ptx::Variable& variable : image->variables) {
        if (variable.is_extern || variable.size == 0) continue;
        const MemoryKind kind = variable.is_managed ? MemoryKind::managed : MemoryKind::device;
        const unsigned flags = variable.is_managed ? CU_MEM_ATTACH_GLOBAL : 0u;
        VariableMemory& entry = variables_[variable.name];  // added first, so that unload() finds the allocation
        const NewMemory memory = allocate(kind, *context, variable.size, flags);
        if (memory.status != CUDA_SUCCESS) {
            unload();
            return memory.status;
        }
        memory.allocation->is_module_variable = true;
        memory.allocation->is_constant = variable.space == ptx::Space::constant;
        entry = {&variable, memory.allocation};
    }
    return CUDA_SUCCESS;
}

// Addresses of symbols without memory, such as functions, stay 0. Machine code cannot run.
void Module::make_executable() {
    if (image->code == nullptr) return;
    std::map<std::string_view, std::uint64_t> addresses;
    for (const auto& [name, entry] : variables_) addresses.emplace(name, entry.memory->base);
    executable_ = std::make_shared<ptx::Executable>(
        image->code, image->version, image->target,
        [image = image, addresses = std::move(addresses)](std::string_view name) -> std::optional<std::uint64_t> {
            const auto found = addresses.find(name);
            return found != addresses.end() ? std::optional(found->second) : std::nullopt;
        });
}

void Module::initialize(const VariableMemory& entry) const {
    auto* const bytes = reinterpret_cast<std::byte*>(entry.memory->base);
    const std::vector<std::byte>& initial = entry.variable->initial;
    AddressSpace::clear(entry.memory->base, entry.memory->size);
    if (!initial.empty()) std::memcpy(bytes, initial.data(), initial.size());
    for (const ptx::Relocation& relocation : entry.variable->relocations) {
        const auto target = find_address(relocation.symbol);
        if (!target) continue;
        const std::uint64_t address = *target + static_cast<std::uint64_t>(relocation.addend);
        std::memcpy(bytes + relocation.offset, &address, sizeof address);
    }
}

std::optional<std::uint64_t> Module::find_address(const std::string& symbol) const {
    if (executable_ != nullptr) return executable_->find_symbol(symbol);
    const auto found = variables_.find(symbol);
    return found != variables_.end() ? std::optional<std::uint64_t>(found->second.memory->base) : std::nullopt;
}

void Module::unload() {
    for (const auto& function : functions_) registry_.functions.remove(function->handle);
    for (const auto& [name, entry] : variables_) {
        if (entry.memory != nullptr) context->memory.remove(entry.memory->base, [](const Allocation&) { return true; });
    }
}

const Function* Module::find_function(std::string_view name) const {
    for (const auto& function : functions_) {
        if (function->kernel.name == name) return function.get();
    }
    return nullptr;
}

const Allocation* Module::find_variable(std::string_view name, const ptx::Variable*& description) const {
    const auto found = variables_.find(name);
    if (found == variables_.end()) return nullptr;
    description = found->second.variable;
    return found->second.memory.get();
}

CUresult load_module(CodeRegistry& registry, const std::shared_ptr<Context>& context,
                     const std::shared_ptr<const ptx::ModuleInterface>& image, std::shared_ptr<Module>& module,
                     bool is_library_module, const Module::GeneralSettings& general) {
    const auto handle = reinterpret_cast<CUmodule>(new_handle_value());
    module = std::make_shared<Module>(handle, context, image, is_library_module, registry);
    try {
        const CUresult status = module->load(general);
        if (status == CUDA_SUCCESS) registry.modules.add(handle, module);
        return status;
    } catch (...) {
        module->unload();
        throw;
    }
}

}  // namespace CUBIND_NAMESPACE::sim

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/check_names.hpp"

#include <map>
#include <string>

#include "error.hpp"
#include "kernels/host_names.hpp"

namespace cubind::gen::kernels {
namespace {

std::string place_of(const Kernel& kernel) {
    return kernel.file + ":" + std::to_string(kernel.line) + ": the kernel '" + kernel.name + "'";
}

}  // namespace

void check_names(const KernelFile& file) {
    std::map<std::string, std::string> owners;  // what has a name, for messages
    for (const auto& record : file.records) owners[join_names(record.namespaces, record.name)] = "the type " + record.origin;
    for (const auto& each : file.enums) owners[join_names(each.namespaces, each.name)] = "the enum " + each.name;
    for (const auto& variable : file.variables) {
        const std::string name = join_names(variable.namespaces, variable.name);
        const auto [owner, is_new] = owners.emplace(name, "the variable " + name);
        if (!is_new) {
            throw InputError(file.name + ": the variable '" + name + "' and " + owner->second +
                             " would have one name on the host; rename one of them");
        }
    }
    std::map<std::string, const Kernel*> signatures;
    for (const auto& kernel : file.kernels) {
        const std::string name = join_names(kernel.namespaces, kernel.name);
        if (const auto owner = owners.find(name); owner != owners.end()) {
            throw InputError(place_of(kernel) + " and " + owner->second + " would have one name on the host; rename one of them");
        }
        std::string signature = name + "<" + kernel.template_arguments + ">";
        for (const auto& parameter : kernel.parameters) signature += ", " + parameter.type;
        const auto [first, is_new] = signatures.emplace(signature, &kernel);
        if (!is_new) {
            throw InputError(place_of(kernel) + " and the one in line " + std::to_string(first->second->line) +
                             " would have one name and the same parameters on the host; rename one of them");
        }
    }
}

}  // namespace cubind::gen::kernels

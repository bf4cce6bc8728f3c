// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernel_collector.hpp"

#include <algorithm>

#include "error.hpp"
#include "kernels/comment.hpp"
#include "kernels/constants.hpp"
#include "kernels/host_names.hpp"
#include "kernels/instantiations.hpp"
#include "kernels/prelude.hpp"
#include "kernels/template_text.hpp"

namespace cubind::gen::kernels {
namespace {

/// Returns an expression that selects one of several kernels of a name by its type.
std::string overload_expression(const clang::Cursor& function, const std::string& name) {
    std::string type = function.type().canonical().spelling();
    return "(" + type.insert(type.find('('), "(*)") + ")" + name;
}

std::vector<std::string> names_of_parameters(const KernelDeclarations& kernel) {
    std::vector<std::string> names;
    for (const auto& parameter : kernel.main().parameters()) names.push_back(parameter.spelling());
    for (const auto& declaration : kernel.all) {
        const std::vector<clang::Cursor> parameters = declaration.parameters();
        for (std::size_t index = 0; index < std::min(names.size(), parameters.size()); ++index) {
            if (names[index].empty()) names[index] = parameters[index].spelling();
        }
    }
    std::set<std::string> used;
    for (std::size_t index = 0; index < names.size(); ++index) {
        names[index] = names[index].empty() ? "argument" + std::to_string(index) : legal_name(names[index]);
        while (!used.insert(names[index]).second) names[index] += "_" + std::to_string(index);
    }
    return names;
}

/// Returns the name that NVRTC gives a function; empty if clang cannot know it.
std::string symbol_of(const clang::Cursor& function) {
    return function.has_internal_linkage() ? std::string() : function.mangled_name();
}

}  // namespace

KernelCollector::KernelCollector(KernelFile& result, HostTypes& types, const UserFiles& files, const Declarations& declarations)
    : result_(result), types_(types), files_(files), declarations_(declarations) {
    for (const auto* list : {&declarations.kernels(), &declarations.templates()}) {
        for (const auto& each : *list) {
            if (each.main().specialized_template().is_null()) ++uses_[qualified_name(each.main())];
        }
    }
}

std::string KernelCollector::where(const KernelDeclarations& kernel) const {
    return files_.place(kernel.main().place()) + ": the kernel '" + kernel.main().spelling() + "'";
}

void KernelCollector::collect(const ReadOptions& options) {
    for (const auto& kernel : declarations_.kernels()) add_function(kernel);
    for (const auto& function : declarations_.explicit_instances()) {
        const clang::Cursor pattern = function.specialized_template();
        const KernelDeclarations* source = declarations_.find_template(pattern.usr());
        if (source != nullptr && source->is_defined()) add_specialization(*source, function);
    }
    for (std::size_t index = 0; index < options.instantiations.size(); ++index) {
        add_instance(options.instantiations[index], instantiation_variable(index));
    }
    for (const auto& pattern : declarations_.templates()) {
        const std::string name = qualified_name(pattern.main());
        if (!instantiated_.contains(pattern.main().usr())) {
            result_.warnings.push_back(where(pattern) + " is a template without instances; it is left out. Name one, such as " +
                                       name + "<...>");
        } else if (uses_[name] > 1) {
            throw InputError(where(pattern) + " is a template, and another kernel has its name; rename one of them");
        }
    }
}

void KernelCollector::add_function(const KernelDeclarations& kernel) {
    const clang::Cursor& function = kernel.main();
    const std::string name = qualified_name(function);
    const clang::Cursor pattern = function.specialized_template();
    if (!kernel.is_defined()) {
        result_.warnings.push_back(where(kernel) + " is declared but not defined; it is left out");
    } else if (pattern.is_null()) {
        add(kernel, function, uses_[name] > 1 ? overload_expression(function, name) : name);
    } else {
        add_specialization(kernel, function);
    }
}

void KernelCollector::add_specialization(const KernelDeclarations& kernel, const clang::Cursor& function) {
    const clang::Cursor pattern = function.specialized_template();
    const KernelDeclarations* source = declarations_.find_template(pattern.usr());
    if (source == nullptr || !instances_.insert(function.mangled_name()).second) return;
    add_template(*source);
    add(kernel, function, qualified_name(function) + "<" + device_arguments(function, pattern) + ">");
}

void KernelCollector::add_template(const KernelDeclarations& pattern) {
    const clang::Cursor& main = pattern.main();
    if (!instantiated_.insert(main.usr()).second) return;
    result_.templates.push_back(
        {namespaces_of(main), legal_name(main.spelling()), template_parameters(main, types_, files_, where(pattern))});
}

void KernelCollector::add_instance(const std::string& text, const std::string& variable) {
    const std::string place = result_.name + ": the instantiation '" + text + "'";
    const clang::Cursor function = declarations_.instance(variable);
    const clang::Cursor pattern = function.is_null() ? function : function.specialized_template();
    if (function.is_null() || pattern.is_null()) throw InputError(place + " names no kernel template; correct the name");
    const KernelDeclarations* source = declarations_.find_template(pattern.usr());
    if (source == nullptr) {
        throw InputError(place + " names " + function.spelling() +
                         ", which is no kernel of this file; name a template with __global__");
    }
    if (!source->is_defined()) throw InputError(where(*source) + " is declared but not defined; include its definition");
    if (!instances_.insert(function.mangled_name()).second) return;
    add_template(*source);
    add(*source, function, text);
}

void KernelCollector::add(const KernelDeclarations& source, const clang::Cursor& function, const std::string& name_expression) {
    const clang::Cursor& main = source.main();
    const std::string place = where(source);
    if (function.type().result().canonical().kind() != CXType_Void) {
        throw InputError(place + " returns " + function.type().result().spelling() +
                         "; a kernel returns void, so pass a pointer instead");
    }
    if (function.is_variadic()) {
        throw InputError(place + " has a variable number of arguments, which CUDA does not allow; state each parameter");
    }
    Kernel kernel;
    kernel.namespaces = namespaces_of(main);
    kernel.name = legal_name(main.spelling());
    if (!function.template_arguments().empty()) {
        kernel.template_arguments = template_arguments(function, function.specialized_template(), types_, place);
    }
    kernel.symbol = symbol_of(function);
    kernel.name_expression = name_expression;
    kernel.file = files_.path(main.file());
    kernel.line = main.line();
    kernel.is_tile = source.annotation(tile_annotation).has_value();
    for (const auto* declaration = &main; kernel.comment.empty(); declaration = &source.all.front()) {
        kernel.comment = comment_above(files_.text(declaration->file()), declaration->start_line());
        if (declaration == &source.all.front()) break;
    }
    add_bounds(kernel, source, function);
    add_parameters(kernel, source, function, place);
    result_.kernels.push_back(std::move(kernel));
}

void KernelCollector::add_bounds(Kernel& kernel, const KernelDeclarations& source, const clang::Cursor& function) const {
    const std::vector<clang::TemplateArgument> arguments = function.template_arguments();
    const std::vector<clang::Cursor> parameters = source.main().children();
    const Lookup lookup = [&](const std::string& name) -> std::optional<std::int64_t> {
        for (std::size_t index = 0; index < std::min(arguments.size(), parameters.size()); ++index) {
            const bool is_number = arguments[index].kind == CXTemplateArgumentKind_Integral;
            if (is_number && parameters[index].spelling() == name) return arguments[index].value;
        }
        return declarations_.constant(name, source.main());
    };
    if (const auto text = source.annotation(launch_bounds_annotation)) {
        const std::vector<int> values = evaluate_list(*text, lookup);
        kernel.max_threads = values.front();
        if (values.size() > 1) kernel.min_blocks = values[1];
    }
    if (const auto text = source.annotation(cluster_annotation)) {
        kernel.cluster = {1, 1, 1};
        const std::vector<int> values = evaluate_list(*text, lookup);
        std::copy_n(values.begin(), std::min<std::size_t>(values.size(), 3), kernel.cluster.begin());
        if (std::find(kernel.cluster.begin(), kernel.cluster.end(), 0) != kernel.cluster.end()) kernel.cluster = {};
    }
}

void KernelCollector::add_parameters(Kernel& kernel, const KernelDeclarations& source, const clang::Cursor& function,
                                     const std::string& place) {
    const std::vector<std::string> names = names_of_parameters(source);
    const std::vector<clang::Type> types = function.type().canonical().arguments();
    const std::vector<clang::Cursor> own = function.parameters();
    const std::vector<clang::Cursor> written = source.main().parameters();
    for (std::size_t index = 0; index < types.size(); ++index) {
        // The declaration of a template's instance has no children. Its type keeps the names of types that the canonical one has
        // lost.
        const bool has_written = index < written.size();
        const std::string at =
            (has_written ? files_.place(written[index].place()) + ": the kernel '" + kernel.name + "'" : place) +
            ": the parameter '" + names[index] + "'";
        Parameter parameter;
        parameter.name = names[index];
        parameter.size = types[index].size();
        const clang::Type sugared = index < own.size() ? own[index].type() : types[index];
        const bool is_decayed =
            sugared.canonical().is_array() || sugared.is_function() || sugared.is_const() || sugared.is_volatile();
        parameter.type = types_.text(is_decayed ? types[index] : sugared, at, true);
        for (const auto& declaration : source.all) {
            const std::vector<clang::Cursor> parameters = declaration.parameters();
            if (index < parameters.size() && parameter.default_value.empty()) {
                parameter.default_value = default_text(parameters[index], types[index], types_, at);
            }
        }
        kernel.parameters.push_back(std::move(parameter));
    }
    // C++ requires a default argument for each parameter after one that has it.
    const auto last = std::find_if(kernel.parameters.rbegin(), kernel.parameters.rend(),
                                   [](const Parameter& each) { return each.default_value.empty(); });
    for (auto each = last; each != kernel.parameters.rend(); ++each) each->default_value.clear();
}

}  // namespace cubind::gen::kernels

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/decode/executable.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "ptx/decode/passes.hpp"
#include "ptx/fidelity/classification.hpp"
#include "ptx/fidelity/instruction_text.hpp"
#include "ptx/handlers/common.hpp"
#include "ptx/handlers/control/builtins.hpp"
#include "ptx/text/shared_variables.hpp"
#include "shared/escaped.hpp"
#include "shared/round_up.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

// Functions are this far apart in the code window.
constexpr std::uint64_t function_distance = 16;

/// Finds the shared variables that a kernel and the functions that it names use.
class LayoutBuilder {
public:
    explicit LayoutBuilder(const Code& code) : code_(code) {}

    SharedLayout run(const Function& kernel) {
        SharedVariables variables(code_,
                                  [this](const Function* function, const LocalVariable& variable) { use(function, variable); });
        variables.visit(kernel);
        // Functions without a name in the code can be called through pointers in the memory of variables.
        for (const Function& each : code_.functions) {
            if (each.is_address_in_variable) variables.visit(each);
        }
        // External variables begin after all others. The launch determines their size.
        for (const LocalVariable& each : code_.shared) {
            if (each.is_dynamic && dynamic_.contains(each.name)) alignment_ = std::max(alignment_, each.alignment);
        }
        const std::size_t dynamic = round_up(layout_.bytes, alignment_);
        if (!dynamic_.empty()) layout_.bytes = dynamic;
        for (const std::string_view name : dynamic_) layout_.module_variables[name] = dynamic;
        return std::move(layout_);
    }

private:
    void use(const Function* function, const LocalVariable& variable) {
        if (function != nullptr) {
            layout_.in_functions[{function, variable.name}] = place(variable);
        } else if (variable.is_dynamic) {
            dynamic_.insert(variable.name);
        } else {
            layout_.module_variables[variable.name] = place(variable);
        }
    }

    std::size_t place(const LocalVariable& variable) {
        const std::size_t begin = round_up(layout_.bytes, variable.alignment);
        layout_.bytes = begin + variable.size;
        return begin;
    }

    const Code& code_;
    SharedLayout layout_;
    std::size_t alignment_ = 16;
    std::set<std::string_view> dynamic_;
};

void add_instruction(const Function& function, const Instruction& instruction, Program& program) {
    program.code.push_back(instruction);
    program.positions.push_back({function.line, 0, 0});
}

// Makes a function fail with its latest problem when it is called.
void fail_always(const Function& function, Program& program) {
    Instruction instruction;
    instruction.run = fail_unsupported;
    instruction.data = program.problems.back().get();
    add_instruction(function, instruction, program);
    program.has_effect = true;
}

// All instructions, modifiers and special registers of clusters have one of these words.
bool names_clusters(const std::string& text) {
    return text.find("cluster") != std::string::npos || text.find("mapa") != std::string::npos ||
           text.find("ctarank") != std::string::npos;
}

}  // namespace

KernelCode::KernelCode(const Executable& executable, const Function& kernel)
    : executable_(executable),
      shared_(LayoutBuilder(*executable.code).run(kernel)),
      required_(InstructionCounts::of_process().required()),
      counts_(InstructionCounts::of_process().is_counting() ? std::make_unique<KernelCounts>(std::string(kernel.name))
                                                            : nullptr) {
    kernel_ = &function(kernel);
}

const Program& KernelCode::function(const Function& function) {
    const std::lock_guard lock(mutex_);
    const Program& result = begin(function);
    try {
        for (std::size_t i = 0; i < begun_.size(); ++i) decode_one(*begun_[i]);
    } catch (...) {
        for (const Function* const each : begun_) programs_.erase(each);
        begun_.clear();
        throw;
    }
    begun_.clear();
    return result;
}

Program& KernelCode::begin(const Function& function) {
    std::unique_ptr<Program>& program = programs_[&function];
    if (program == nullptr) {
        begun_.push_back(&function);
        program = std::make_unique<Program>();
        program->name = function.name;
    }
    return *program;
}

void KernelCode::decode_one(const Function& function) {
    Program& result = *programs_[&function];
    try {
        Steps steps = lower(executable_, shared_, function);
        if (!function.is_defined) {
            result.local_bytes = steps.local_bytes;
            result.parameter_begin = steps.parameter_begin;
            return make_builtin(function, result);
        }
        if (!executable_.code->is_debug) fuse_multiply_add(steps);
        if (required_ != Fidelity::approximate) refuse(steps, required_);
        decode(*this, steps, assign_slots(steps), result);
    } catch (const TooLarge& problem) {
        result.problems.push_back(std::make_unique<std::string>("function " + std::string(function.name) + " " + problem.what));
        fail_always(function, result);
    }
}

// A function that the text only declares is a builtin of the simulation, or fails when it is called.
void KernelCode::make_builtin(const Function& function, Program& program) {
    const Builtin* const builtin = find_builtin(function.name, executable_.code->has_device_runtime);
    const auto fail = [&](std::string problem) {
        program.problems.push_back(std::make_unique<std::string>(std::move(problem)));
        fail_always(function, program);
    };
    if (builtin == nullptr) return fail("function " + std::string(function.name) + " is not defined in the module");
    const std::string text = builtin_text(function.name);
    if (const Classification found = classify(text); found.fidelity > required_) return fail(refusal(text, found, required_));
    if (counts_ != nullptr) {
        BlockCount& block = counts_->add_block();
        counts_->add_instruction(block, text);
        Instruction begin;
        begin.run = count_block;
        begin.data = &block;
        add_instruction(function, begin, program);
    }
    Instruction instruction;
    instruction.run = builtin->handler;
    add_instruction(function, instruction, program);
    for (const Handler each : builtin->rest) {
        instruction.run = each;
        add_instruction(function, instruction, program);
    }
}

const Function* KernelCode::function_at(std::uint64_t address) const noexcept {
    return executable_.function_at(address);
}

CodeMap* KernelCode::find_kernel(std::string_view name) const {
    return executable_.find_kernel(name);
}

std::string KernelCode::describe(const SourcePosition& position) const {
    return executable_.describe(position);
}

bool KernelCode::uses_clusters() const noexcept {
    return executable_.uses_clusters;
}

Executable::Executable(std::shared_ptr<const Code> own_code, int own_version, int own_target, FindVariable own_find_variable)
    : code(std::move(own_code)),
      version(own_version),
      target(own_target),
      find_variable(std::move(own_find_variable)),
      uses_clusters(names_clusters(code->text)) {}

KernelCode* Executable::find_kernel(std::string_view name) const {
    const std::lock_guard lock(mutex_);
    const auto found = kernels_.find(name);
    if (found != kernels_.end()) return found->second.get();
    const Function* const function = code->find(name);
    if (function == nullptr || !function->is_kernel || !function->is_defined) return nullptr;
    return kernels_.emplace(name, std::make_unique<KernelCode>(*this, *function)).first->second.get();
}

std::optional<std::uint64_t> Executable::find_symbol(std::string_view name) const {
    if (const auto address = find_variable(name)) return address;
    const Function* const function = code->find(name);
    return function != nullptr ? std::optional(address_of(*function)) : std::nullopt;
}

std::uint64_t Executable::address_of(const Function& function) const noexcept {
    return window_base(Window::code) + function_distance * static_cast<std::uint64_t>(&function - code->functions.data() + 1);
}

const Function* Executable::function_at(std::uint64_t address) const noexcept {
    const std::uint64_t number = (address & window_mask) / function_distance;
    const bool exists =
        window_of(address) == Window::code && address % function_distance == 0 && number != 0 && number <= code->functions.size();
    return exists ? &code->functions[number - 1] : nullptr;
}

std::string Executable::describe(const SourcePosition& position) const {
    std::string text = "PTX line " + std::to_string(position.line);
    const auto file = std::ranges::find(code->files, position.file, &SourceFile::number);
    if (position.source_line != 0 && file != code->files.end()) {
        text += ", " + escaped(file->name) + ':' + std::to_string(position.source_line);
    }
    return text;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "ptx/decode/passes.hpp"
#include "ptx/decode/step_text.hpp"
#include "ptx/handlers/common.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

/// The constants of a function. Equal constants share a slot.
class Constants {
public:
    std::uint32_t add(const Value& value) {
        const std::uint64_t bits = value.bytes >= 8   ? value.bits
                                   : value.bytes == 2 ? value.bits & 0xffff
                                                      : value.bits & 0xffffffff;
        const auto [entry, is_new] = slots_.try_emplace({value.bytes, bits}, static_cast<std::uint32_t>(bytes_.size()));
        if (is_new) append(value.bytes, bits);
        return entry->second | constant_slot;
    }
    AlignedBytes copy() const {
        AlignedBytes all(bytes_.size());
        if (!bytes_.empty()) std::memcpy(all.data(), bytes_.data(), bytes_.size());
        return all;
    }

private:
    void append(std::size_t bytes, std::uint64_t bits) {
        const std::size_t begin = bytes_.size();
        bytes_.resize(begin + (bytes == 0 ? 64 : bytes * warp_size));
        if (bytes == 0) bytes = sizeof(std::uint32_t);  // a predicate has one word
        for (std::size_t at = begin; at + bytes <= bytes_.size(); at += bytes) {
            std::memcpy(bytes_.data() + at, &bits, std::min<std::size_t>(bytes, 8));
        }
    }

    std::map<std::pair<std::size_t, std::uint64_t>, std::uint32_t> slots_;
    std::vector<std::byte> bytes_;
};

class Decoder {
public:
    Decoder(KernelCode& kernel, Steps& steps, const SlotTable& slots, Program& program)
        : kernel_(kernel), steps_(steps), slots_(slots), program_(&program), positions_of_labels_(steps.labels) {}

    void run();

private:
    void decode(Step& step);
    void add(Instruction instruction, const Step& step);
    void begin_block(const Step& step);
    void count(const Step& step);
    std::uint32_t slot(const Value& value);
    void set_slots(Instruction& instruction, const Step& step, unsigned first);
    void set_guard(Instruction& instruction, const Step& step);
    void set_call(Instruction& instruction, Step& step);
    void resolve_labels();

    struct LabelUse {
        std::size_t instruction;
        std::uint32_t label;
    };

    KernelCode& kernel_;
    Steps& steps_;
    const SlotTable& slots_;
    Program* const program_;
    Constants constants_;
    std::vector<std::size_t> positions_of_labels_;
    std::vector<LabelUse> uses_;
    std::vector<std::pair<std::vector<const Instruction*>*, const std::vector<std::uint32_t>*>> target_lists_;
    bool begins_block_ = true;
    BlockCount* count_ = nullptr;  ///< of the current block; null if nothing is counted
};

bool begins_block(const Instruction& instruction) {
    return instruction.run == ptx::begin_block || instruction.run == count_block;
}

void Decoder::run() {
    program_->frame_bytes = slots_.frame_bytes;
    program_->local_bytes = steps_.local_bytes;
    program_->parameter_begin = steps_.parameter_begin;
    program_->has_calls = steps_.has_calls;
    program_->shared_bytes = kernel_.shared().bytes;
    for (Step& step : steps_.all) decode(step);
    program_->has_effect = std::ranges::any_of(
        program_->code, [](const Instruction& each) { return !begins_block(each) && each.run != return_from_call; });
    program_->constants = constants_.copy();
    resolve_labels();
}

std::uint32_t Decoder::slot(const Value& value) {
    if (value.kind == Value::Kind::none) return no_slot;
    return value.is_register() ? slots_.slots[value.index] : constants_.add(value);
}

void Decoder::set_slots(Instruction& instruction, const Step& step, unsigned first) {
    for (unsigned i = 0; i < max_slots; ++i) {
        instruction.slots[i] = first + i < step.choice.slots ? slot(step.values[first + i]) : no_slot;
    }
}

void Decoder::add(Instruction instruction, const Step& step) {
    program_->code.push_back(instruction);
    program_->positions.push_back(step.position);
}

// Parts of a warp can meet at the begin of a basic block.
void Decoder::begin_block(const Step& step) {
    Instruction instruction;
    instruction.run = ptx::begin_block;
    if (KernelCounts* const counts = kernel_.counts()) {
        count_ = &counts->add_block();
        instruction.run = count_block;
        instruction.data = count_;
    }
    add(instruction, step);
    begins_block_ = false;
}

void Decoder::count(const Step& step) {
    if (count_ == nullptr) return;
    std::string text = instruction_text(step);
    if (!text.empty()) kernel_.counts()->add_instruction(*count_, std::move(text));
}

void Decoder::decode(Step& step) {
    if (step.handler == nullptr) {
        if (program_->code.empty() || !begins_block(program_->code.back())) begin_block(step);
        positions_of_labels_[step.label] = program_->code.size() - 1;
        begins_block_ = false;
        return;
    }
    if (begins_block_) begin_block(step);
    Instruction instruction;
    instruction.run = step.handler;
    instruction.offset = step.offset;
    instruction.extra = step.extra;
    set_slots(instruction, step, 0);
    const bool can_run = step.problem == nullptr;
    if (!can_run) {
        instruction.data = program_->problems.emplace_back(std::move(step.problem)).get();
    } else if (step.call != nullptr) {
        set_call(instruction, step);
    } else if (!step.targets.empty()) {
        auto& list = program_->branch_targets.emplace_back(std::make_unique<std::vector<const Instruction*>>());
        instruction.data = list.get();
        target_lists_.emplace_back(list.get(), &step.targets);
    }
    if (step.guard.is_register() || step.guard.kind == Value::Kind::constant) set_guard(instruction, step);
    if (step.label != no_label) uses_.push_back({program_->code.size(), step.label});
    if (can_run) count(step);
    add(instruction, step);
    for (unsigned first = max_slots; first < step.choice.slots; first += max_slots) {
        Instruction rest;
        rest.run = hold_slots;
        set_slots(rest, step, first);
        add(rest, step);
    }
    begins_block_ = step.flow != Flow::none && (step.flow != Flow::converged || step.guard.kind != Value::Kind::none);
}

// An instruction that changes the flow of control, or needs all threads of a warp, is guarded by a branch around it.
void Decoder::set_guard(Instruction& instruction, const Step& step) {
    instruction.guard = slot(step.guard);
    if (step.flow == Flow::none) {
        instruction.guarded = instruction.run;
        instruction.run = step.is_guard_negated ? run_guarded_not : run_guarded;
        return;
    }
    if (step.flow == Flow::jump) {
        instruction.run = step.is_guard_negated ? branch_unless : branch_if;
        return;
    }
    Instruction around;
    around.run = step.is_guard_negated ? branch_if : branch_unless;
    around.guard = instruction.guard;
    instruction.guard = no_slot;
    const auto label = static_cast<std::uint32_t>(positions_of_labels_.size());
    uses_.push_back({program_->code.size(), label});
    add(around, step);
    begin_block(step);
    positions_of_labels_.push_back(program_->code.size() + 1);  // the block that follows the instruction
}

void Decoder::set_call(Instruction& instruction, Step& step) {
    auto& site = program_->calls.emplace_back(std::make_unique<CallSite>(std::move(step.call->site)));
    if (step.call->callee != nullptr) site->callee = &kernel_.begin(*step.call->callee);
    instruction.data = site.get();
}

void Decoder::resolve_labels() {
    // All labels are within the code, also the labels after guarded instructions: the last instruction is an unguarded return.
    const Instruction* const code = program_->code.data();
    for (const LabelUse& use : uses_) program_->code[use.instruction].target = code + positions_of_labels_[use.label];
    for (const auto& [list, labels] : target_lists_) {
        for (const std::uint32_t label : *labels) list->push_back(code + positions_of_labels_[label]);
    }
}

}  // namespace

void decode(KernelCode& kernel, Steps& steps, const SlotTable& slots, Program& program) {
    Decoder(kernel, steps, slots, program).run();
}

}  // namespace CUBIND_NAMESPACE::sim::ptx

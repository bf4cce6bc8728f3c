// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/fidelity/instruction_counts.hpp"

#include <new>
#include <utility>

#include "ptx/fidelity/classification.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

void add_to(Executions& sum, const Executions& more) {
    for (const auto& [instruction, executions] : more) sum[instruction] += executions;
}

}  // namespace

KernelCounts::KernelCounts(std::string own_kernel) : kernel(std::move(own_kernel)) {
    InstructionCounts::of_process().add(*this);
}

KernelCounts::~KernelCounts() {
    InstructionCounts::of_process().remove(*this);
}

BlockCount& KernelCounts::add_block() {
    const std::lock_guard lock(mutex_);
    return blocks_.emplace_back();
}

void KernelCounts::add_instruction(BlockCount& block, std::string instruction) {
    const std::lock_guard lock(mutex_);
    block.instructions.push_back(&*texts_.insert(std::move(instruction)).first);
}

Executions KernelCounts::read() const {
    const std::lock_guard lock(mutex_);
    Executions result;
    for (const BlockCount& block : blocks_) {
        const std::uint64_t executions = block.executions.load(std::memory_order_relaxed);
        if (executions == 0) continue;
        for (const std::string* const each : block.instructions) result[*each] += executions;
    }
    return result;
}

InstructionCounts& InstructionCounts::of_process() {
    // Never destroyed, because streams may run while the process ends.
    static InstructionCounts& only = *new InstructionCounts;
    return only;
}

void InstructionCounts::begin(bool is_counting, Fidelity required) {
    const std::lock_guard lock(mutex_);
    ++machine_;
    totals_.clear();
    is_counting_ = is_counting;
    required_ = required;
}

void InstructionCounts::add(KernelCounts& counts) {
    const std::lock_guard lock(mutex_);
    counts.machine_ = machine_;
    kernels_.insert(&counts);
}

// The kernels of the previous machine may end after the next one began.
void InstructionCounts::remove(const KernelCounts& counts) {
    const std::lock_guard lock(mutex_);
    kernels_.erase(&counts);
    if (counts.machine_ != machine_) return;
    try {
        add_to(totals_[counts.kernel], counts.read());
    } catch (const std::bad_alloc&) {  // the counts are lost
    }
}

std::map<std::string, Executions> InstructionCounts::read() const {
    const std::lock_guard lock(mutex_);
    std::map<std::string, Executions> result = totals_;
    for (const KernelCounts* const each : kernels_) {
        if (each->machine_ == machine_) add_to(result[each->kernel], each->read());
    }
    return result;
}

std::vector<ExecutedInstruction> classified_executions() {
    std::vector<ExecutedInstruction> result;
    for (const auto& [kernel, all] : InstructionCounts::of_process().read()) {
        for (const auto& [instruction, executions] : all) {
            Classification found = classify(instruction);
            result.push_back({kernel, instruction, found.fidelity, std::move(found.reason), executions});
        }
    }
    return result;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx

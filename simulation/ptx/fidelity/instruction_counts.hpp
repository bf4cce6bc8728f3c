// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/fidelity.hpp>

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

/// Counts of executed instructions. A counter belongs to a basic block, so that its instructions cost nothing. If nothing is
/// counted, blocks have no counter.
namespace CUBIND_NAMESPACE::sim::ptx {

/// A basic block of a kernel.
struct BlockCount {
    mutable std::atomic<std::uint64_t> executions{0};  ///< decoded code is constant
    std::vector<const std::string*> instructions;
};

/// Executions by the text of the instruction.
using Executions = std::map<std::string, std::uint64_t>;

/// The counts of one kernel, and of the functions that it calls. Thread-safe.
class KernelCounts {
public:
    explicit KernelCounts(std::string kernel);
    /// Adds the counts to those of the process.
    ~KernelCounts();
    KernelCounts(const KernelCounts&) = delete;
    KernelCounts& operator=(const KernelCounts&) = delete;

    /// Adds a block, which lives as long as this object.
    BlockCount& add_block();
    void add_instruction(BlockCount& block, std::string instruction);
    Executions read() const;

    const std::string kernel;

private:
    friend class InstructionCounts;

    mutable std::mutex mutex_;
    std::set<std::string> texts_;
    std::deque<BlockCount> blocks_;
    std::uint64_t machine_ = 0;  ///< number of the machine whose kernel this is; InstructionCounts has its mutex
};

/// What the current machine counts and accepts. Thread-safe.
class InstructionCounts {
public:
    static InstructionCounts& of_process();

    /// Begins with no counts, for a new machine.
    void begin(bool is_counting, Fidelity required);
    bool is_counting() const noexcept { return is_counting_; }
    Fidelity required() const noexcept { return required_; }
    /// Returns the executions of each instruction by kernel.
    std::map<std::string, Executions> read() const;

private:
    friend class KernelCounts;
    void add(KernelCounts& counts);
    void remove(const KernelCounts& counts);

    std::atomic<bool> is_counting_ = false;
    std::atomic<Fidelity> required_ = Fidelity::approximate;
    mutable std::mutex mutex_;
    std::uint64_t machine_ = 0;
    std::set<const KernelCounts*> kernels_;     ///< that exist
    std::map<std::string, Executions> totals_;  ///< of kernels that no longer exist
};

/// Returns what InstructionCounts has, with the class of each instruction.
std::vector<ExecutedInstruction> classified_executions();

}  // namespace CUBIND_NAMESPACE::sim::ptx

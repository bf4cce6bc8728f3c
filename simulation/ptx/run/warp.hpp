// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <span>
#include <vector>

#include "ptx/program/program.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

class Block;

constexpr std::uint32_t all_lanes = ~std::uint32_t{0};

/// A call that has not returned. Parts of a warp that called together share it.
struct Call {
    const Program* program = nullptr;
    std::size_t registers = 0;          ///< offset of its frame in the registers of the warp
    std::size_t capacity = 0;           ///< bytes from there to the next frame
    std::size_t local = 0;              ///< offset of its local memory in the local memory of each thread
    std::size_t local_end = 0;          ///< includes memory that alloca allocated
    const Instruction* next = nullptr;  ///< where the caller continues
    const CallSite* site = nullptr;     ///< call that began it; null for the kernel
    Call* caller = nullptr;
    unsigned depth = 0;
    unsigned users = 0;  ///< parts in this call, and calls from it
};

/// Threads of a warp that run the same instructions.
struct Part {
    enum class State : std::uint8_t { ready, converging, at_barrier, at_cluster_barrier };
    const Instruction* next = nullptr;
    std::uint32_t mask = 0;
    State state = State::ready;
    std::uint8_t barrier = 0;
    Call* call = nullptr;

    bool waits_for_cluster() const noexcept { return state == State::at_cluster_barrier; }
    /// Returns whether the threads continue at `next` once a barrier is complete.
    bool waits_for_barrier() const noexcept { return state >= State::at_barrier; }
};

/// An instruction that threads of a warp run together: each thread names the threads that it waits for.
struct Collective {
    /// Computes for the active threads. May use only the slots of the instruction.
    void (*run)(Warp& warp, const Instruction& instruction);
    std::uint8_t members;       ///< number of the slot with the threads that each thread waits for
    std::uint8_t destinations;  ///< number of slots that it writes, which are the first
    /// Bytes of each slot; 0 for predicates. Other slots have -1.
    std::array<std::int8_t, max_slots> bytes;
};

/// The result of a reduction at a barrier. Instruction::extra of the barrier is the Kind, which selects a part of it.
struct BarrierResult {
    enum Kind : std::uint32_t { none, count, all, any };
    std::uint32_t threads = 0;  ///< threads whose predicate is true
    bool is_all = true;
    bool is_any = false;
};

/// 32 threads of a block. One part of it runs at a time; a branch that threads take differently splits it, and parts that reach
/// the same instruction join. A warp is used by one thread of the simulation at a time.
class Warp {
public:
    Warp(Block& own_block, unsigned own_index) : block(own_block), index(own_index) {}
    Warp(const Warp&) = delete;
    Warp& operator=(const Warp&) = delete;

    /// Prepares the threads in `lanes` to run a kernel.
    void start(const Program& kernel, std::uint32_t lanes);

    /// `polling` is a pause of a warp that has mostly read what other threads may write.
    enum class Progress { ended, waiting, paused, polling };
    /// Runs until all threads have ended or wait, or until the warp has run for its share.
    Progress run();

    // For handlers.

    /// Returns the slot of a destination.
    template <class Value>
    Value* to(std::uint32_t slot) noexcept {
        return reinterpret_cast<Value*>(bases_[0] + slot);
    }
    /// Returns the slot of a source.
    template <class Value>
    const Value* from(std::uint32_t slot) const noexcept {
        return reinterpret_cast<const Value*>(bases_[slot >> 31] + (slot & ~constant_slot));
    }
    std::uint32_t predicate(std::uint32_t slot) const noexcept { return *from<std::uint32_t>(slot); }
    void set_predicate(std::uint32_t slot, std::uint32_t bits) noexcept {
        std::uint32_t& value = *to<std::uint32_t>(slot);
        value = (value & ~mask) | (bits & mask);
    }
    bool is_full() const noexcept { return mask == all_lanes; }
    const Call& call() const noexcept { return *call_; }
    Call& call() noexcept { return *call_; }
    std::uint32_t live_lanes() const noexcept { return live_; }

    /// Address of the byte of local memory at this offset of a thread's own window.
    std::byte* local_memory(unsigned lane) noexcept { return local_.data() + lane * local_stride_; }
    std::size_t local_size() const noexcept { return local_stride_; }
    /// Makes the local memory of each thread at least this large. Returns false if that is more than the limit of the launch.
    /// Addresses that local_memory() has returned become invalid.
    bool reserve_local(std::size_t bytes);

    /// Lets some of the active threads, but not all, wait until they run from `next` on.
    void leave(std::uint32_t threads, const Instruction* next);
    /// Splits the active threads: those in `taken` continue at `target`, the others at `next`.
    const Instruction* split(std::uint32_t taken, const Instruction* target, const Instruction* next);
    /// Is called at the begin of each basic block. Joins parts and lets others run.
    const Instruction* begin_block(const Instruction* instruction) {
        if (--share_ > 0 && waiting_.empty()) [[likely]]
            return instruction + 1;
        return schedule_block(instruction);
    }
    /// Ends the active threads.
    const Instruction* end_threads();
    /// Lets the active threads wait for a barrier of the block, after which they continue at `next`.
    const Instruction* wait_at_barrier(unsigned barrier, const Instruction* next);
    /// Counts the active threads as arrived at the barrier of the cluster. Returns false if some have arrived and not waited.
    bool arrive_in_cluster();
    /// Lets the active threads wait for the barrier of the cluster, after which they continue at `next`. Threads that may pass it
    /// already do so; then the others run `instruction` again.
    const Instruction* wait_for_cluster(const Instruction* instruction);
    /// Returns the active threads that have arrived at the barrier of the cluster and not waited for it.
    std::uint32_t arrived_in_cluster() const noexcept { return (cluster_arrived_ | cluster_passed_) & mask; }
    /// Lets threads that have arrived at the barrier of the cluster pass it.
    void pass_cluster_barrier() noexcept;
    /// Pauses the warp, so that others run.
    const Instruction* pause(const Instruction* next);
    /// Lets other parts of the warp run, and then other warps.
    const Instruction* pause_polling(const Instruction* next);
    /// Is called by instructions that read what other threads may write meanwhile, such as atomic operations. Shortens the time
    /// until other threads run.
    void poll() noexcept {
        share_ -= share_of_poll;
        turns_ -= turns_of_poll;
        polls_ += share_of_poll;
    }
    /// Runs a collective instruction when all threads that the active ones wait for have reached this instruction, or one of the
    /// same kind elsewhere.
    const Instruction* run_together(const Collective& collective, const Instruction* instruction) {
        if (mask != live_) [[unlikely]]
            return run_divergent(collective, instruction);
        collective.run(*this, *instruction);
        return instruction + 1;
    }
    /// Begins a call of the active threads. Returns the first instruction of the callee.
    const Instruction* begin_call(const Program& callee, const CallSite& site, const Instruction* next);
    /// Returns from the call of the active threads.
    const Instruction* end_call();

    /// Makes parts that wait for a barrier of the block ready, and writes the result of its reduction.
    void release(unsigned barrier, const BarrierResult& result) noexcept;
    /// Returns the part that waits for a barrier of the block and has the first thread that has not ended, or null.
    const Part* first_at_barrier() const noexcept;
    bool has_ended() const noexcept { return live_ == 0; }
    /// Returns whether run() could continue.
    bool is_ready() const noexcept { return choose() >= 0; }
    /// Returns the parts that do not run.
    const std::vector<Part>& waiting() const noexcept { return waiting_; }

    Block& block;
    const unsigned index;     ///< index in the block
    std::uint32_t mask = 0;   ///< active threads
    std::uint32_t carry = 0;  ///< carry flags of the threads

private:
    static constexpr std::int64_t share_of_poll = 128;
    static constexpr int turns_of_poll = 512;

    const Instruction* schedule_block(const Instruction* instruction);
    const Instruction* run_divergent(const Collective& collective, const Instruction* instruction);
    std::uint32_t find_group(const Collective& collective, std::span<Part* const> parts);
    void run_gathered(const Collective& collective, std::span<Part* const> parts, std::uint32_t group);
    std::byte* slot_in(const Call& call, std::uint32_t slot) noexcept;
    /// Stores the active threads as a part that waits.
    void park(const Instruction* next, Part::State state = Part::State::ready);
    /// Joins the active threads, which continue at `next`, with the parts that wait there.
    void join(const Instruction* next) noexcept;
    /// Makes a waiting part active, with all waiting parts at the same instruction.
    const Instruction* resume(std::size_t part);
    /// Returns the part to run next, or -1 if none is ready.
    int choose() const noexcept;
    /// Returns the part that is ready and has waited longest, or -1 if none is ready.
    int choose_oldest() const noexcept;
    void enter(Call* call) noexcept;
    Call* add_call(const Program& program);
    Call* find_hole(std::size_t bytes) noexcept;
    void remove_user(Call* call) noexcept;
    void reserve_registers(std::size_t bytes);

    std::byte* bases_[2] = {};  ///< begin of the frame and of the constants
    std::vector<Part> waiting_;
    std::int64_t share_ = 0;  ///< basic blocks until other warps run
    int turns_ = 0;           ///< basic blocks until another part of a split warp runs
    int turns_of_part_ = 0;   ///< initial value of turns_
    int hold_ = 0;            ///< basic blocks during which a part runs although another has precedence
    std::int64_t polls_ = 0;  ///< what poll() took from the share
    std::uint32_t live_ = 0;
    std::uint32_t cluster_arrived_ = 0;  ///< threads that have arrived at the barrier of the cluster, which is not complete
    std::uint32_t cluster_passed_ = 0;   ///< threads that need not wait for the barrier any more, and have not yet
    Call* call_ = nullptr;
    AlignedBytes registers_;
    std::size_t registers_end_ = 0;
    AlignedBytes local_;
    std::size_t local_stride_ = 0;
    std::size_t max_local_ = 0;
    std::vector<std::unique_ptr<Call>> calls_;  ///< in the order of their frames
    std::size_t holes_ = 0;                     ///< calls in calls_ that have returned
    std::vector<std::unique_ptr<Call>> spare_calls_;
};

}  // namespace CUBIND_NAMESPACE::sim::ptx

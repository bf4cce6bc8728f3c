// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <vector>

#include "ptx/run/program.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

class Block;

constexpr std::uint32_t all_lanes = ~std::uint32_t{0};

/// A call that has not returned. Parts of a warp that called together share it.
struct Call {
    const Program* program = nullptr;
    std::size_t registers = 0;          ///< offset of its frame in the registers of the warp
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
    enum class State : std::uint8_t { ready, at_barrier, converging };
    const Instruction* next = nullptr;
    std::uint32_t mask = 0;
    State state = State::ready;
    std::uint8_t barrier = 0;
    std::uint32_t members = 0;  ///< threads that a converging part waits for
    Call* call = nullptr;
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

    enum class Progress { ended, waiting, paused };
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
    /// Pauses the warp, so that others run.
    const Instruction* pause(const Instruction* next);
    /// Returns whether all of `members` that have not ended are active. If not, the active threads wait, and the handler must
    /// return null.
    bool converge(std::uint32_t members, const Instruction* instruction);
    /// Begins a call of the active threads. Returns the first instruction of the callee.
    const Instruction* begin_call(const Program& callee, const CallSite& site, const Instruction* next);
    /// Returns from the call of the active threads.
    const Instruction* end_call();

    /// Makes parts that wait for a barrier of the block ready.
    void release(unsigned barrier) noexcept;
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
    const Instruction* schedule_block(const Instruction* instruction);
    /// Stores the active threads as a part that waits.
    void park(const Instruction* next, Part::State state = Part::State::ready);
    /// Removes a part from those that wait, joins it with others at the same place, and makes it active.
    const Instruction* resume(std::size_t part);
    /// Returns the part to run next, or -1 if none is ready.
    int choose() const noexcept;
    void enter(Call* call) noexcept;
    Call* add_call();
    void remove_user(Call* call) noexcept;
    void reserve_registers(std::size_t bytes);
    void reserve_local(const Program& kernel);

    std::byte* bases_[2] = {};  ///< begin of the frame and of the constants
    std::vector<Part> waiting_;
    std::int64_t share_ = 0;  ///< basic blocks until other warps run
    int turns_ = 0;           ///< basic blocks until another part of a split warp runs
    int hold_ = 0;            ///< basic blocks during which a part runs although another has precedence
    std::uint32_t live_ = 0;
    Call* call_ = nullptr;
    AlignedBytes registers_;
    std::size_t registers_end_ = 0;
    AlignedBytes local_;
    std::size_t local_stride_ = 0;
    std::vector<std::unique_ptr<Call>> calls_;  ///< in the order of their frames
    std::vector<std::unique_ptr<Call>> spare_calls_;
};

}  // namespace CUBIND_NAMESPACE::sim::ptx

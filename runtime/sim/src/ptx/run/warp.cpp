// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/run/warp.hpp"

#include <cubind/driver/constants.hpp>

#include <algorithm>
#include <cstring>

#include "ptx/run/block.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

// Shares, in basic blocks. A warp gives way to the others of its block, so that a thread can wait for a value that another
// writes. Parts of a warp give way to each other for the same reason.
constexpr std::int64_t share_of_warp = 4096;
constexpr int turns_of_part = 512;
constexpr int turns_held = 64;

// Local memory of each thread where calls may recurse. Threads often access the same offset, so that its size is no multiple of
// that of a page: their memory is in different sets of the processor's caches.
constexpr std::size_t stack_bytes = 64 * 1024 + 128;
constexpr unsigned max_call_depth = 1 << 15;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) noexcept {
    return (bytes + unit - 1) / unit * unit;
}

}  // namespace

void Warp::start(const Program& kernel, std::uint32_t lanes) {
    waiting_.clear();
    while (!calls_.empty()) {
        spare_calls_.push_back(std::move(calls_.back()));
        calls_.pop_back();
    }
    registers_end_ = 0;
    reserve_registers(kernel.frame_bytes);
    std::memset(registers_.data(), 0, kernel.frame_bytes);
    reserve_local(kernel);
    live_ = mask = lanes;
    call_ = add_call();
    call_->program = &kernel;
    call_->local_end = kernel.local_bytes;
    call_->users = 1;
    registers_end_ = kernel.frame_bytes;
    share_ = share_of_warp;
    park(kernel.code.data());
}

void Warp::reserve_registers(std::size_t bytes) {
    if (registers_end_ + bytes <= registers_.size()) return;
    AlignedBytes larger(round_up(registers_end_ + bytes + registers_.size(), 4096));
    if (registers_end_ != 0) std::memcpy(larger.data(), registers_.data(), registers_end_);
    registers_ = std::move(larger);
}

void Warp::reserve_local(const Program& kernel) {
    local_stride_ = round_up(kernel.local_bytes, 16) + (kernel.has_calls ? stack_bytes : 0);
    if (local_.size() < local_stride_ * warp_size) local_ = AlignedBytes(local_stride_ * warp_size);
}

Call* Warp::add_call() {
    std::unique_ptr<Call> call;
    if (spare_calls_.empty()) {
        call = std::make_unique<Call>();
    } else {
        call = std::move(spare_calls_.back());
        spare_calls_.pop_back();
        *call = Call{};
    }
    calls_.push_back(std::move(call));
    return calls_.back().get();
}

void Warp::remove_user(Call* call) noexcept {
    while (call != nullptr && --call->users == 0) call = call->caller;
    while (!calls_.empty() && calls_.back()->users == 0) {
        registers_end_ = calls_.back()->registers;
        spare_calls_.push_back(std::move(calls_.back()));
        calls_.pop_back();
    }
}

void Warp::enter(Call* call) noexcept {
    call_ = call;
    bases_[0] = registers_.data() + call->registers;
    bases_[1] = const_cast<std::byte*>(call->program->constants.data());
}

void Warp::park(const Instruction* next, Part::State state) {
    waiting_.push_back({next, mask, state, 0, 0, call_});
    mask = 0;
}

const Instruction* Warp::resume(std::size_t index) {
    Part part = waiting_[index];
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(index));
    for (std::size_t i = 0; i < waiting_.size();) {
        const Part& other = waiting_[i];
        const bool joins = other.next == part.next && other.call == part.call && other.state != Part::State::at_barrier;
        if (!joins) {
            ++i;
            continue;
        }
        part.mask |= other.mask;
        waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
        remove_user(part.call);
    }
    mask = part.mask;
    enter(part.call);
    turns_ = turns_of_part;
    return part.next;
}

// The deepest call has precedence, and in it the first instruction of the text: threads that are ahead wait for the others.
int Warp::choose() const noexcept {
    int best = -1;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
        const Part& part = waiting_[i];
        if (part.state != Part::State::ready) continue;
        if (best >= 0) {
            const Part& other = waiting_[static_cast<std::size_t>(best)];
            const bool precedes =
                part.call->depth != other.call->depth ? part.call->depth > other.call->depth : part.next < other.next;
            if (!precedes) continue;
        }
        best = static_cast<int>(i);
    }
    return best;
}

Warp::Progress Warp::run() {
    share_ = share_of_warp;
    const Instruction* instruction = nullptr;
    try {
        while (share_ > 0) {
            const int next = choose();
            if (next < 0) return live_ == 0 ? Progress::ended : Progress::waiting;
            instruction = resume(static_cast<std::size_t>(next));
            for (const Instruction* following = instruction; following != nullptr;) {
                instruction = following;
                following = instruction->run(*this, instruction);
            }
        }
    } catch (const Fault& fault) {
        block.fail(*this, *instruction, fault);
    }
    return Progress::paused;
}

const Instruction* Warp::schedule_block(const Instruction* instruction) {
    if (share_ <= 0) return pause(instruction);
    for (std::size_t i = 0; i < waiting_.size();) {
        const Part& other = waiting_[i];
        if (other.next == instruction && other.call == call_ && other.state == Part::State::ready) {
            mask |= other.mask;
            waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
            remove_user(call_);
        } else {
            ++i;
        }
    }
    if (waiting_.empty()) return instruction + 1;
    if (--turns_ <= 0) {
        // The part that has waited longest is the first.
        const auto ready = std::ranges::find(waiting_, Part::State::ready, &Part::state);
        turns_ = turns_of_part;
        if (ready == waiting_.end()) return instruction + 1;
        const auto index = static_cast<std::size_t>(ready - waiting_.begin());
        park(instruction);
        const Instruction* const next = resume(index);
        turns_ = turns_of_part;
        hold_ = turns_held;
        return next;
    }
    if (hold_ > 0) {
        --hold_;
        return instruction + 1;
    }
    const int best = choose();
    if (best < 0) return instruction + 1;
    const Part& other = waiting_[static_cast<std::size_t>(best)];
    const bool precedes = other.call->depth != call_->depth ? other.call->depth > call_->depth : other.next < instruction;
    if (!precedes) return instruction + 1;
    const int turns = turns_;
    park(instruction);
    const Instruction* const next = resume(static_cast<std::size_t>(best));
    turns_ = turns;
    return next;
}

void Warp::leave(std::uint32_t threads, const Instruction* next) {
    const std::uint32_t others = mask & ~threads;
    mask = threads;
    park(next);
    ++call_->users;
    mask = others;
}

const Instruction* Warp::split(std::uint32_t taken, const Instruction* target, const Instruction* next) {
    const bool target_is_first = target < next;
    leave(target_is_first ? mask & ~taken : taken, target_is_first ? next : target);
    return target_is_first ? target : next;
}

const Instruction* Warp::end_threads() {
    live_ &= ~mask;
    block.end_threads(static_cast<unsigned>(std::popcount(mask)));
    mask = 0;
    for (Part& part : waiting_) {
        if (part.state == Part::State::converging) part.state = Part::State::ready;
    }
    remove_user(call_);
    return nullptr;
}

const Instruction* Warp::wait_at_barrier(unsigned barrier, const Instruction* next) {
    park(next, Part::State::at_barrier);
    waiting_.back().barrier = static_cast<std::uint8_t>(barrier);
    return nullptr;
}

void Warp::release(unsigned barrier) noexcept {
    for (Part& part : waiting_) {
        if (part.state == Part::State::at_barrier && part.barrier == barrier) part.state = Part::State::ready;
    }
}

const Instruction* Warp::pause(const Instruction* next) {
    park(next);
    share_ = 0;
    return nullptr;
}

bool Warp::converge(std::uint32_t members, const Instruction* instruction) {
    const std::uint32_t needed = members & live_;
    if ((needed & ~mask) == 0) return true;
    std::uint32_t together = mask;
    for (const Part& part : waiting_) {
        if (part.next == instruction && part.call == call_) together |= part.mask;
    }
    park(instruction, Part::State::converging);
    waiting_.back().members = members;
    if ((needed & ~together) != 0) return false;
    // The last thread has arrived. resume() joins the parts, and the instruction runs again.
    waiting_.back().state = Part::State::ready;
    return false;
}

const Instruction* Warp::begin_call(const Program& callee, const CallSite& site, const Instruction* next) {
    Call* const caller = call_;
    if (caller->depth >= max_call_depth) throw Fault{driver::CUDA_ERROR_ILLEGAL_ADDRESS, "calls are nested too deeply"};
    const std::size_t local = round_up(caller->local_end, 16);
    if (local + callee.local_bytes > local_stride_) {
        throw Fault{driver::CUDA_ERROR_ILLEGAL_ADDRESS, "the stack of " + std::to_string(local_stride_) + " bytes is full"};
    }
    reserve_registers(callee.frame_bytes);
    Call* const call = add_call();
    call->program = &callee;
    call->registers = registers_end_;
    call->local = local;
    call->local_end = local + callee.local_bytes;
    call->next = next;
    call->site = &site;
    call->caller = caller;
    call->depth = caller->depth + 1;
    call->users = 1;  // takes the place of this part in the caller
    registers_end_ += callee.frame_bytes;
    for (const ArgumentCopy& each : site.arguments) {
        for (std::uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) {
            std::byte* const memory = local_memory(static_cast<unsigned>(std::countr_zero(lanes)));
            std::memcpy(memory + local + callee.parameter_begin + each.callee, memory + caller->local + each.caller, each.size);
        }
    }
    enter(call);
    return callee.code.data();
}

const Instruction* Warp::end_call() {
    Call* const call = call_;
    Call* const caller = call->caller;
    if (caller == nullptr) return end_threads();
    for (const ArgumentCopy& each : call->site->results) {
        for (std::uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) {
            std::byte* const memory = local_memory(static_cast<unsigned>(std::countr_zero(lanes)));
            std::memcpy(memory + caller->local + each.caller, memory + call->local + each.callee, each.size);
        }
    }
    const Instruction* const next = call->next;
    ++caller->users;
    remove_user(call);
    enter(caller);
    return next;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/run/warp.hpp"

#include <cubind/driver/constants.hpp>

#include <algorithm>
#include <cstring>
#include <string>

#include "ptx/run/cluster.hpp"
#include "shared/round_up.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

// Shares, in basic blocks: after them a warp lets other warps of its block run, and a part of a warp other parts. So a thread can
// wait for a value that another thread writes.
constexpr std::int64_t share_of_warp = 4096;
constexpr int turns_of_part = 4096;
constexpr int turns_held = 64;

// Local memory of each thread for calls, which grows as needed. Its size is an odd multiple of 128: threads often access the same
// offset, and their memory is then in different sets of the processor's caches.
constexpr std::size_t initial_stack_bytes = 1024 + 128;
constexpr unsigned max_call_depth = 1 << 15;
constexpr std::size_t searched_holes = 64;

// The deepest call has precedence, and in it the first instruction of the text: threads that are ahead wait for the others.
bool precedes(const Part& part, const Call& call, const Instruction* next) noexcept {
    return part.call->depth != call.depth ? part.call->depth > call.depth : part.next < next;
}

// Different seeds let the parts of a warp alternate at different times.
int choose_turns(std::uint64_t seed, std::uint64_t block, unsigned warp) noexcept {
    if (seed == 0) return turns_of_part;
    const std::uint64_t mixed = (seed + 64 * block + warp) * 0x9e3779b97f4a7c15;
    return 512 + 128 * static_cast<int>(mixed >> 58);
}

}  // namespace

void Warp::start(const Program& kernel, std::uint32_t lanes) {
    waiting_.clear();
    while (!calls_.empty()) {
        spare_calls_.push_back(std::move(calls_.back()));
        calls_.pop_back();
    }
    holes_ = 0;
    registers_end_ = 0;
    const GridRequest& request = block.grid->request;
    local_stride_ = 0;
    max_local_ = round_up(kernel.local_bytes, 16) + request.stack_bytes;
    reserve_local(kernel.local_bytes + (kernel.has_calls ? std::min(initial_stack_bytes, request.stack_bytes) : 0));
    live_ = mask = lanes;
    cluster_arrived_ = cluster_passed_ = 0;
    carry = 0;
    call_ = add_call(kernel);
    call_->local_end = kernel.local_bytes;
    if (kernel.frame_bytes != 0) std::memset(registers_.data(), 0, kernel.frame_bytes);
    share_ = share_of_warp;
    turns_of_part_ = turns_ = choose_turns(request.seed, block.linear_index, index);
    hold_ = 0;
    park(kernel.code.data());
}

// New registers are 0, so that a kernel that reads a register before it writes it has the same results each time.
void Warp::reserve_registers(std::size_t bytes) {
    if (registers_end_ + bytes <= registers_.size()) return;
    AlignedBytes larger(round_up(registers_end_ + bytes + registers_.size(), 4096));
    if (registers_end_ != 0) std::memcpy(larger.data(), registers_.data(), registers_end_);
    std::memset(larger.data() + registers_end_, 0, larger.size() - registers_end_);
    registers_ = std::move(larger);
}

bool Warp::reserve_local(std::size_t bytes) {
    bytes = round_up(bytes, 16);
    if (bytes <= local_stride_) return true;
    if (bytes > max_local_) return false;
    const std::size_t before = local_stride_;
    if (before != 0) bytes = std::min(std::max(bytes, 2 * before) | 128, max_local_);
    if (local_.size() < bytes * warp_size) {
        AlignedBytes larger(bytes * warp_size);
        for (unsigned lane = 0; before != 0 && lane < warp_size; ++lane) {
            std::memcpy(larger.data() + lane * bytes, local_memory(lane), before);
        }
        local_ = std::move(larger);
    } else {
        for (unsigned lane = warp_size; before != 0 && lane-- > 1;) {
            std::memmove(local_.data() + lane * bytes, local_memory(lane), before);
        }
    }
    local_stride_ = bytes;
    return true;
}

// Finds a free frame. Parts that call and return in turns leave free frames between the frames of other parts.
Call* Warp::find_hole(std::size_t bytes) noexcept {
    if (holes_ == 0) return nullptr;
    const std::size_t begin = calls_.size() > searched_holes ? calls_.size() - searched_holes : 0;
    for (std::size_t i = begin; i < calls_.size(); ++i) {
        if (calls_[i]->users != 0 || calls_[i]->capacity < bytes) continue;
        --holes_;
        return calls_[i].get();
    }
    return nullptr;
}

Call* Warp::add_call(const Program& program) {
    Call* call = find_hole(program.frame_bytes);
    if (call == nullptr) {
        reserve_registers(program.frame_bytes);
        // Calls that return become spare ones without an allocation.
        if (spare_calls_.capacity() <= calls_.size()) spare_calls_.reserve(2 * calls_.size() + 8);
        if (spare_calls_.empty()) {
            calls_.push_back(std::make_unique<Call>());
        } else {
            calls_.push_back(std::move(spare_calls_.back()));
            spare_calls_.pop_back();
        }
        call = calls_.back().get();
        call->registers = registers_end_;
        call->capacity = program.frame_bytes;
        registers_end_ += program.frame_bytes;
    }
    *call = {.program = &program, .registers = call->registers, .capacity = call->capacity, .users = 1};
    return call;
}

void Warp::remove_user(Call* call) noexcept {
    for (; call != nullptr && --call->users == 0; call = call->caller) ++holes_;
    while (!calls_.empty() && calls_.back()->users == 0) {
        registers_end_ = calls_.back()->registers;
        spare_calls_.push_back(std::move(calls_.back()));
        calls_.pop_back();
        --holes_;
    }
}

void Warp::enter(Call* call) noexcept {
    call_ = call;
    bases_[0] = registers_.data() + call->registers;
    bases_[1] = const_cast<std::byte*>(call->program->constants.data());
}

void Warp::park(const Instruction* next, Part::State state) {
    waiting_.push_back({next, mask, state, 0, call_});
    mask = 0;
}

void Warp::join(const Instruction* next) noexcept {
    for (std::size_t i = 0; i < waiting_.size();) {
        const Part& other = waiting_[i];
        if (other.next != next || other.call != call_ || other.waits_for_barrier()) {
            ++i;
            continue;
        }
        mask |= other.mask;
        waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
        remove_user(call_);
    }
}

const Instruction* Warp::resume(std::size_t index) {
    const Part part = waiting_[index];
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(index));
    mask = part.mask;
    enter(part.call);
    join(part.next);
    return part.next;
}

int Warp::choose() const noexcept {
    int best = -1;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
        const Part& part = waiting_[i];
        if (part.state != Part::State::ready) continue;
        if (best >= 0) {
            const Part& other = waiting_[static_cast<std::size_t>(best)];
            if (!precedes(part, *other.call, other.next)) continue;
        }
        best = static_cast<int>(i);
    }
    return best;
}

int Warp::choose_oldest() const noexcept {
    const auto ready = std::ranges::find(waiting_, Part::State::ready, &Part::state);
    return ready != waiting_.end() ? static_cast<int>(ready - waiting_.begin()) : -1;
}

Warp::Progress Warp::run() {
    share_ = share_of_warp;
    polls_ = 0;
    const Instruction* instruction = nullptr;
    try {
        while (share_ > 0) {
            hold_ = 0;
            int next = -1;
            if (--turns_ <= 0) {
                // Parts that wait again and again must not keep another from running.
                next = choose_oldest();
                turns_ = turns_of_part_;
                hold_ = turns_held;
            } else {
                next = choose();
            }
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
    return 2 * polls_ >= share_of_warp ? Progress::polling : Progress::paused;
}

const Instruction* Warp::schedule_block(const Instruction* instruction) {
    if (share_ <= 0) return pause(instruction);
    join(instruction);
    if (waiting_.empty()) return instruction + 1;
    if (--turns_ <= 0) {
        turns_ = turns_of_part_;
        const int oldest = choose_oldest();
        if (oldest < 0) return instruction + 1;
        hold_ = turns_held;
        park(instruction);
        return resume(static_cast<std::size_t>(oldest));
    }
    if (hold_ > 0) {
        --hold_;
        return instruction + 1;
    }
    const int best = choose();
    if (best < 0 || !precedes(waiting_[static_cast<std::size_t>(best)], *call_, instruction)) return instruction + 1;
    park(instruction);
    return resume(static_cast<std::size_t>(best));
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
    const std::uint32_t arrived = cluster_arrived_ & mask;
    cluster_arrived_ &= ~mask;
    cluster_passed_ &= ~mask;
    block.end_threads(*this, static_cast<unsigned>(std::popcount(mask)), static_cast<unsigned>(std::popcount(arrived)));
    mask = 0;
    // Nothing waits for threads that have ended.
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

const Part* Warp::first_at_barrier() const noexcept {
    const std::uint32_t first = live_ & (0 - live_);
    for (const Part& part : waiting_) {
        if (part.state == Part::State::at_barrier && (part.mask & first) != 0) return &part;
    }
    return nullptr;
}

void Warp::release(unsigned barrier, const BarrierResult& result) noexcept {
    for (Part& part : waiting_) {
        if (part.state != Part::State::at_barrier || part.barrier != barrier) continue;
        part.state = Part::State::ready;
        const Instruction& instruction = *(part.next - 1);
        if (instruction.extra == BarrierResult::none || instruction.slots[0] == no_slot) continue;
        auto* const to = reinterpret_cast<std::uint32_t*>(slot_in(*part.call, instruction.slots[0]));
        if (instruction.extra == BarrierResult::count) {
            for (std::uint32_t rest = part.mask; rest != 0; rest &= rest - 1) to[std::countr_zero(rest)] = result.threads;
        } else {
            const bool value = instruction.extra == BarrierResult::all ? result.is_all : result.is_any;
            *to = value ? *to | part.mask : *to & ~part.mask;
        }
    }
}

bool Warp::arrive_in_cluster() {
    if (arrived_in_cluster() != 0) return false;
    cluster_arrived_ |= mask;
    block.cluster.arrive(static_cast<unsigned>(std::popcount(mask)));
    return true;
}

const Instruction* Warp::wait_for_cluster(const Instruction* instruction) {
    const std::uint32_t passed = cluster_passed_ & mask;
    if (passed == 0) {
        park(instruction + 1, Part::State::at_cluster_barrier);
        return nullptr;
    }
    if (passed != mask) leave(mask & ~passed, instruction);
    cluster_passed_ &= ~passed;
    return instruction + 1;
}

void Warp::pass_cluster_barrier() noexcept {
    cluster_passed_ |= cluster_arrived_;
    cluster_arrived_ = 0;
    for (Part& part : waiting_) {
        if (!part.waits_for_cluster()) continue;
        part.state = Part::State::ready;
        cluster_passed_ &= ~part.mask;
    }
}

const Instruction* Warp::pause(const Instruction* next) {
    park(next);
    share_ = 0;
    return nullptr;
}

const Instruction* Warp::pause_polling(const Instruction* next) {
    park(next);
    turns_ = 0;
    share_ -= share_of_warp / 4;
    polls_ += share_of_warp / 4;
    return nullptr;
}

const Instruction* Warp::begin_call(const Program& callee, const CallSite& site, const Instruction* next) {
    Call* const caller = call_;
    if (caller->depth >= max_call_depth) {
        throw Fault{driver::CUDA_ERROR_ILLEGAL_ADDRESS, "more than " + std::to_string(max_call_depth) + " calls are nested"};
    }
    if (registers_end_ + callee.frame_bytes > max_register_bytes) {
        throw Fault{driver::CUDA_ERROR_ILLEGAL_ADDRESS,
                    "the registers of nested calls have more than " + std::to_string(max_register_bytes) + " bytes"};
    }
    const std::size_t local = round_up(caller->local_end, 16);
    if (!reserve_local(local + callee.local_bytes)) {
        throw Fault{driver::CUDA_ERROR_ILLEGAL_ADDRESS, "the stack of " + std::to_string(max_local_) + " bytes is full"};
    }
    Call* const call = add_call(callee);  // takes the place of this part in the caller
    call->local = local;
    call->local_end = local + callee.local_bytes;
    call->next = next;
    call->site = &site;
    call->caller = caller;
    call->depth = caller->depth + 1;
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

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/run/block.hpp"

#include <cubind/driver/constants.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <utility>

#include "ptx/run/cluster.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

// The bytes of the widest access to shared memory.
constexpr std::size_t widest_access = 16;

// The number of shares of each warp until other blocks run. So a block can wait for a value that another writes.
constexpr int share_of_block = 64;

std::string text_of(const Index3& index) {
    return '(' + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " + std::to_string(index.z) + ')';
}

}  // namespace

void Block::start(Grid& own_grid, Index3 own_index, unsigned own_rank) {
    grid = &own_grid;
    index = own_index;
    rank = own_rank;
    const GridRequest& request = own_grid.request;
    linear_index = index.x + std::uint64_t{request.grid.x} * (index.y + std::uint64_t{request.grid.y} * index.z);
    shared_begin = cluster.size() != 1 && request.code->uses_clusters() ? shared_address(rank) : 0;
    arriving_in_grid_ = 0;
    threads = live_ = request.block.x * request.block.y * request.block.z;
    // Compilers widen accesses up to 16 bytes, so that they can end after the last byte. A GPU's units are larger.
    shared_size_ =
        (request.kernel->shared_bytes + request.dynamic_shared_bytes + widest_access - 1) / widest_access * widest_access;
    if (shared_.size() < shared_size_) shared_ = AlignedBytes(shared_size_);
    if (shared_size_ != 0) std::memset(shared_.data(), 0, shared_size_);
    for (Barrier& barrier : barriers) barrier = Barrier{};
    warps_used_ = (threads + warp_size - 1) / warp_size;
    while (warps_.size() < warps_used_) warps_.push_back(std::make_unique<Warp>(*this, static_cast<unsigned>(warps_.size())));
    order_.resize(warps_used_);
    std::iota(order_.begin(), order_.end(), std::uint16_t{0});
    if (request.seed != 0) std::shuffle(order_.begin(), order_.end(), std::mt19937_64(request.seed ^ linear_index));
    for (unsigned i = 0; i < warps_used_; ++i) {
        const unsigned lanes = std::min(threads - i * warp_size, warp_size);
        warps_[i]->start(*request.kernel, lanes == warp_size ? all_lanes : (std::uint32_t{1} << lanes) - 1);
    }
}

Block::Progress Block::run() {
    for (int turn = 0; turn < share_of_block; ++turn) {
        bool has_progress = false;
        bool is_polling = true;
        for (const std::uint16_t each : order_) {
            Warp& warp = *warps_[each];
            if (warp.has_ended()) continue;
            const Warp::Progress progress = warp.run();
            has_progress |= progress != Warp::Progress::waiting;
            is_polling &= progress == Warp::Progress::waiting || progress == Warp::Progress::polling;
            if (grid->has_failed() || (live_ != 0 && is_interrupted())) return Progress::ended;
        }
        if (live_ == 0) return Progress::ended;
        if (std::exchange(gives_way_, false)) return Progress::paused;
        if (has_progress && is_polling) return Progress::polling;
        if (!has_progress) {
            // Warps that waited at their turn may have been released by later warps.
            if (is_ready()) continue;
            if (waits_for_cluster()) return Progress::waiting;
            grid->fail(driver::CUDA_ERROR_LAUNCH_TIMEOUT, "deadlock: no thread of block " + name() + " of kernel " +
                                                              grid->request.kernel->name + " can continue" + describe_threads());
            return Progress::ended;
        }
    }
    return Progress::paused;
}

bool Block::is_ready() const noexcept {
    return std::ranges::any_of(order_, [&](std::uint16_t each) { return warps_[each]->is_ready(); });
}

bool Block::waits_for_cluster() const noexcept {
    return std::ranges::any_of(
        order_, [&](std::uint16_t each) { return std::ranges::any_of(warps_[each]->waiting(), &Part::waits_for_cluster); });
}

bool Block::waits_for_cluster_only() const noexcept {
    return std::ranges::all_of(
        order_, [&](std::uint16_t each) { return std::ranges::all_of(warps_[each]->waiting(), &Part::waits_for_cluster); });
}

void Block::pass_cluster_barrier() noexcept {
    for (std::size_t i = 0; i < warps_used_; ++i) warps_[i]->pass_cluster_barrier();
}

// A barrier for a number of threads counts whole warps. Threads of a warp that do not exist or have ended count as arrived when
// the first live thread of the warp arrives.
void Block::arrive(unsigned barrier, const Warp& warp, std::uint32_t lanes, unsigned expected, std::uint32_t predicate) {
    Barrier& each = barriers[barrier];
    const std::uint32_t live = warp.live_lanes();
    if ((lanes & live & (0 - live)) != 0) each.missing += static_cast<unsigned>(std::popcount(~live));
    each.arrived += static_cast<unsigned>(std::popcount(lanes));
    each.expected = expected;
    each.result.threads += static_cast<unsigned>(std::popcount(lanes & predicate));
    each.result.is_all &= (lanes & ~predicate) == 0;
    each.result.is_any |= (lanes & predicate) != 0;
    release_if_complete(barrier);
}

void Block::release_if_complete(unsigned barrier) {
    Barrier& each = barriers[barrier];
    const bool is_complete = each.expected != 0 ? each.arrived + each.missing >= each.expected : each.arrived >= live_;
    if (each.arrived == 0 || !is_complete) return;
    const BarrierResult result = each.result;
    each = Barrier{};
    for (std::size_t i = 0; i < warps_used_; ++i) warps_[i]->release(barrier, result);
}

void Block::end_threads(const Warp& warp, unsigned count, unsigned arrived) {
    live_ -= count;
    if (const Part* const part = warp.first_at_barrier()) barriers[part->barrier].missing += count;
    for (unsigned i = 0; i < barrier_count; ++i) release_if_complete(i);
    cluster.end_threads(arrived);
}

Index3 Block::thread_index(unsigned linear) const noexcept {
    const Extent3& size = grid->request.block;
    return {linear % size.x, linear / size.x % size.y, linear / size.x / size.y};
}

void Block::fail(const Warp& warp, const Instruction& instruction, const Fault& fault) {
    const unsigned lane =
        fault.lane >= 0 ? static_cast<unsigned>(fault.lane) : static_cast<unsigned>(std::countr_zero(warp.mask));
    const Program& program = *warp.call().program;
    std::string text = fault.what + ", in " + program.name + " of kernel " + grid->request.kernel->name + ", block " + name() +
                       ", thread " + text_of(thread_index(warp.index * warp_size + (lane & 31))) + ", " +
                       grid->request.code->describe(program.position(&instruction));
    grid->fail(fault.status, std::move(text));
}

bool Block::is_interrupted() {
    const std::string reason = grid->find_interruption();
    if (reason.empty()) return false;
    grid->interrupt(reason, "in block " + name() + describe_threads());
    return true;
}

std::string Block::name() const {
    return text_of(index);
}

std::string Block::describe_threads() const {
    constexpr int max_named = 4;
    std::string text;
    int named = 0;
    const auto describe = [&](std::size_t i, bool at_cluster_barrier) {
        for (const Part& part : warps_[i]->waiting()) {
            if (part.waits_for_cluster() != at_cluster_barrier) continue;
            if (++named > max_named) break;
            const unsigned first = static_cast<unsigned>(i) * warp_size + static_cast<unsigned>(std::countr_zero(part.mask));
            const Program& program = *part.call->program;
            // A part that waits for a barrier continues after it.
            const Instruction* const at = part.waits_for_barrier() ? part.next - 1 : part.next;
            text += "; " + std::to_string(std::popcount(part.mask)) + " threads from " + text_of(thread_index(first)) +
                    (at_cluster_barrier                      ? " wait for the barrier of the cluster"
                     : part.state == Part::State::at_barrier ? " wait for barrier " + std::to_string(part.barrier)
                     : part.state == Part::State::converging ? " wait for other threads of their warp"
                                                             : std::string(" run")) +
                    " at " + grid->request.code->describe(program.position(at));
        }
    };
    // Threads that wait for the barrier of the cluster come last, because the others are the reason of a deadlock.
    for (const bool at_cluster_barrier : {false, true}) {
        for (std::size_t i = 0; i < warps_used_ && named < max_named; ++i) describe(i, at_cluster_barrier);
    }
    return text;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "ptx/decode/passes.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

/// A set of registers.
class RegisterSet {
public:
    explicit RegisterSet(std::size_t registers) : words_((registers + 63) / 64) {}
    void add(std::uint32_t index) { words_[index / 64] |= std::uint64_t{1} << index % 64; }
    void remove(std::uint32_t index) { words_[index / 64] &= ~(std::uint64_t{1} << index % 64); }
    bool has(std::uint32_t index) const { return (words_[index / 64] >> index % 64 & 1) != 0; }
    /// Adds all registers of another set. Returns whether this set has grown.
    bool add_all(const RegisterSet& other) {
        std::uint64_t changed = 0;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            const std::uint64_t sum = words_[i] | other.words_[i];
            changed |= sum ^ words_[i];
            words_[i] = sum;
        }
        return changed != 0;
    }
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
                visit(static_cast<std::uint32_t>(64 * i + static_cast<std::size_t>(__builtin_ctzll(rest))));
            }
        }
    }

private:
    std::vector<std::uint64_t> words_;
};

struct BasicBlock {
    BasicBlock(std::size_t own_begin, std::size_t registers) : begin(own_begin), live_in(registers), live_out(registers) {}
    std::size_t begin;
    std::size_t end = 0;
    std::vector<std::size_t> next;
    RegisterSet live_in;
    RegisterSet live_out;
};

bool ends_block(const Step& step) {
    return step.flow == Flow::jump || step.flow == Flow::indexed || step.flow == Flow::end;
}

std::vector<BasicBlock> find_blocks(const Steps& steps) {
    std::vector<BasicBlock> blocks;
    std::vector<std::size_t> block_of_label(steps.labels);
    bool begins = true;
    for (std::size_t i = 0; i < steps.all.size(); ++i) {
        const Step& step = steps.all[i];
        const bool is_label = step.handler == nullptr;
        if (begins || is_label) {
            if (!blocks.empty()) blocks.back().end = i;
            blocks.emplace_back(i, steps.registers.size());
        }
        if (is_label) block_of_label[step.label] = blocks.size() - 1;
        begins = ends_block(step);
    }
    if (!blocks.empty()) blocks.back().end = steps.all.size();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Step& last = steps.all[blocks[i].end - 1];
        const bool falls_through = !ends_block(last) || last.guard.is_register();
        if (falls_through && i + 1 < blocks.size()) blocks[i].next.push_back(i + 1);
        if (ends_block(last) && last.label != no_label) blocks[i].next.push_back(block_of_label[last.label]);
        for (const std::uint32_t target : last.targets) blocks[i].next.push_back(block_of_label[target]);
    }
    return blocks;
}

// Visits the registers that a step reads. A guarded step, or one with may_write_part, keeps the destinations of some threads, so
// it also reads its destinations.
template <class Visit>
void visit_reads(const Step& step, Visit visit) {
    const bool keeps = step.guard.is_register() || step.may_write_part;
    if (step.guard.is_register()) visit(step.guard.index);
    for (unsigned i = 0; i < step.choice.slots; ++i) {
        const Value& value = step.values[i];
        if (value.is_register() && (!value.is_written || keeps)) visit(value.index);
    }
}

template <class Visit>
void visit_writes(const Step& step, Visit visit) {
    for (unsigned i = 0; i < step.choice.slots; ++i) {
        if (step.values[i].is_register() && step.values[i].is_written) visit(step.values[i].index);
    }
}

void find_live_registers(const Steps& steps, std::vector<BasicBlock>& blocks) {
    const std::size_t count = steps.registers.size();
    std::vector<RegisterSet> killed(blocks.size(), RegisterSet(count));
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        for (std::size_t at = blocks[i].end; at-- > blocks[i].begin;) {
            visit_writes(steps.all[at], [&](std::uint32_t index) {
                blocks[i].live_in.remove(index);
                killed[i].add(index);
            });
            visit_reads(steps.all[at], [&](std::uint32_t index) { blocks[i].live_in.add(index); });
        }
    }
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (std::size_t i = blocks.size(); i-- > 0;) {
            bool has_grown = false;
            for (const std::size_t next : blocks[i].next) has_grown |= blocks[i].live_out.add_all(blocks[next].live_in);
            if (!has_grown) continue;
            RegisterSet passing(count);
            blocks[i].live_out.for_each([&](std::uint32_t index) {
                if (!killed[i].has(index)) passing.add(index);
            });
            has_changed |= blocks[i].live_in.add_all(passing);
        }
    }
}

/// The steps from the first to the last at which a register has a value that is needed.
struct Interval {
    std::size_t begin = ~std::size_t{0};
    std::size_t end = 0;

    void include(std::size_t at) {
        begin = std::min(begin, at);
        end = std::max(end, at);
    }
    bool is_used() const noexcept { return begin <= end; }
};

std::vector<Interval> find_intervals(const Steps& steps, const std::vector<BasicBlock>& blocks) {
    std::vector<Interval> intervals(steps.registers.size());
    for (const BasicBlock& block : blocks) {
        block.live_in.for_each([&](std::uint32_t index) { intervals[index].include(block.begin); });
        block.live_out.for_each([&](std::uint32_t index) { intervals[index].include(block.end - 1); });
    }
    for (std::size_t i = 0; i < steps.all.size(); ++i) {
        visit_reads(steps.all[i], [&](std::uint32_t index) { intervals[index].include(i); });
        visit_writes(steps.all[i], [&](std::uint32_t index) { intervals[index].include(i); });
    }
    return intervals;
}

// A predicate has one bit for each thread of the warp, another register its bytes.
std::size_t slot_size(const Register& each) {
    return each.bytes == 0 ? sizeof(std::uint32_t) : std::size_t{each.bytes} * warp_size;
}

// Limits the memory of basic blocks, each of which has three sets of registers.
void check_size(const Steps& steps) {
    constexpr std::size_t max_bytes = std::size_t{1} << 31;
    std::size_t blocks = 1;
    for (const Step& step : steps.all) blocks += step.handler == nullptr || ends_block(step) ? 1 : 0;
    const std::size_t registers = steps.registers.size();
    if (blocks <= max_bytes / (sizeof(BasicBlock) + 3 * (registers / 8 + sizeof(std::uint64_t)))) return;
    throw TooLarge{"has " + std::to_string(blocks) + " basic blocks and " + std::to_string(registers) +
                   " registers, more than the simulation can decode"};
}

}  // namespace

SlotTable assign_slots(const Steps& steps) {
    check_size(steps);
    std::vector<BasicBlock> blocks = find_blocks(steps);
    find_live_registers(steps, blocks);
    const std::vector<Interval> intervals = find_intervals(steps, blocks);
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < intervals.size(); ++i) {
        if (intervals[i].is_used()) order.push_back(i);
    }
    std::ranges::sort(order, {}, [&](std::uint32_t index) { return intervals[index].begin; });

    // Threads that took another branch may have values in a slot that other threads use for another register. They do not meet,
    // because a slot has a place for each thread; but only registers of the same size have the same places.
    SlotTable table;
    table.slots.assign(steps.registers.size(), no_slot);
    std::map<std::size_t, std::vector<std::uint32_t>> free;
    std::map<std::size_t, std::multimap<std::size_t, std::uint32_t>> used;  // by the end of the interval
    std::map<std::size_t, std::size_t> count;
    std::vector<std::pair<std::size_t, std::uint32_t>> numbers(steps.registers.size());  // size and number of each slot
    for (const std::uint32_t index : order) {
        const std::size_t size = slot_size(steps.registers[index]);
        auto& busy = used[size];
        while (!busy.empty() && busy.begin()->first < intervals[index].begin) {
            free[size].push_back(busy.begin()->second);
            busy.erase(busy.begin());
        }
        std::uint32_t number = 0;
        if (free[size].empty()) {
            number = static_cast<std::uint32_t>(count[size]++);
        } else {
            number = free[size].back();
            free[size].pop_back();
        }
        busy.emplace(intervals[index].end, number);
        numbers[index] = {size, number};
    }
    std::map<std::size_t, std::size_t> begin;
    for (auto size = count.rbegin(); size != count.rend(); ++size) {
        begin[size->first] = table.frame_bytes;
        table.frame_bytes += (size->first * size->second + 63) / 64 * 64;
    }
    if (table.frame_bytes > max_register_bytes) {
        throw TooLarge{"uses " + std::to_string(table.frame_bytes / warp_size) +
                       " bytes of registers in each thread at once, more than the limit of " +
                       std::to_string(max_register_bytes / warp_size)};
    }
    for (const std::uint32_t index : order) {
        table.slots[index] =
            static_cast<std::uint32_t>(begin[numbers[index].first] + numbers[index].first * numbers[index].second);
    }
    return table;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx

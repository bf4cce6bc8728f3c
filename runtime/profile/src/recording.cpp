// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/profile/recording.hpp>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "record_members.hpp"

namespace CUBIND_NAMESPACE::profile {

namespace {

std::uint64_t key_of(const TimedRecord& record) noexcept {
    return std::uint64_t{record.process} << 32 | record.correlation_id;
}

// Sorts the records by start, and a call or a range ahead of those within it.
void sort(auto& records) {
    const auto is_outer_or_earlier = [](const auto& left, const auto& right) {
        return left.start != right.start ? left.start < right.start : left.end > right.end;
    };
    if (!std::ranges::is_sorted(records, is_outer_or_earlier)) std::ranges::stable_sort(records, is_outer_or_earlier);
}

// Returns the places of the records, sorted by key, then by start. Records without a call are left out.
template <class Index>
void fill_index(Index& index, const auto& records) {
    index.clear();
    index.reserve(records.size());
    for (std::uint32_t i = 0; const auto& each : records) {
        if (each.correlation_id != 0) index.push_back({key_of(each), i});
        ++i;
    }
    std::ranges::stable_sort(index, {}, [](const auto& each) { return each.key; });
}

template <class Record, class Index>
std::vector<const Record*> records_with(std::uint64_t key, const Index& index, const std::vector<Record>& records) {
    std::vector<const Record*> found;
    auto each = std::ranges::lower_bound(index, key, {}, [](const auto& entry) { return entry.key; });
    for (; each != index.end() && each->key == key; ++each) found.push_back(&records[each->index]);
    return found;
}

/// The ranges of one thread that are open at a time that only increases.
class OpenRanges {
public:
    explicit OpenRanges(const std::vector<RangeRecord>& ranges) : ranges_(ranges) {}

    /// Returns the innermost range that is open at a time, or -1.
    std::int32_t innermost_at(TimePoint time) {
        std::erase_if(open_, [&](std::int32_t each) { return at(each).end <= time && !at(each).is_open; });
        return open_.empty() ? -1 : open_.back();
    }
    void open(std::int32_t range) { open_.push_back(range); }
    /// Returns the innermost of the open ranges that contains this one, or -1. They need not be nested.
    std::int32_t around(const RangeRecord& range) {
        innermost_at(range.start);
        const auto found =
            std::find_if(open_.rbegin(), open_.rend(), [&](std::int32_t each) { return at(each).end >= range.end; });
        return found == open_.rend() ? -1 : *found;
    }

private:
    const RangeRecord& at(std::int32_t index) const { return ranges_[static_cast<std::size_t>(index)]; }

    const std::vector<RangeRecord>& ranges_;
    std::vector<std::int32_t> open_;  // by start
};

}  // namespace

Recording::Recording(Records records) : records_(std::move(records)) {
    detail::visit_lists(records_, [](std::string_view, auto& each) { sort(each); });
    fill_index(calls_by_key_, records_.calls);
    const auto is_same = [](const Entry& left, const Entry& right) { return left.key == right.key; };
    calls_by_key_.erase(std::unique(calls_by_key_.begin(), calls_by_key_.end(), is_same),
                        calls_by_key_.end());  // the outer one is first, and remains
    fill_index(kernels_by_key_, records_.kernels);
    fill_index(copies_by_key_, records_.copies);
    fill_index(fills_by_key_, records_.fills);
    attribute_to_ranges();
}

void Recording::attribute_to_ranges() {
    struct Thread {
        OpenRanges nested;
        OpenRanges around_calls;
        std::vector<std::int32_t> ranges = {};  // by start, without marks
        std::size_t next_range = 0;
    };
    const std::vector<RangeRecord>& ranges = records_.ranges;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Thread> threads;
    parent_of_range_.assign(ranges.size(), -1);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (ranges[i].thread == 0) continue;
        const std::pair number{ranges[i].process, ranges[i].thread};
        Thread& thread = threads.try_emplace(number, Thread{OpenRanges(ranges), OpenRanges(ranges)}).first->second;
        parent_of_range_[i] = thread.nested.around(ranges[i]);
        if (ranges[i].is_mark) continue;
        thread.nested.open(static_cast<std::int32_t>(i));
        thread.ranges.push_back(static_cast<std::int32_t>(i));
    }
    range_of_call_.assign(records_.calls.size(), -1);
    for (std::size_t i = 0; i < records_.calls.size(); ++i) {
        const ApiRecord& call = records_.calls[i];
        const auto found = threads.find({call.process, call.thread});
        if (found == threads.end()) continue;
        Thread& thread = found->second;
        const auto has_begun = [&](std::int32_t range) { return ranges[static_cast<std::size_t>(range)].start <= call.start; };
        while (thread.next_range < thread.ranges.size() && has_begun(thread.ranges[thread.next_range]))
            thread.around_calls.open(thread.ranges[thread.next_range++]);
        range_of_call_[i] = thread.around_calls.innermost_at(call.start);
    }
}

std::int64_t Recording::call_index(const TimedRecord& record) const noexcept {
    const std::uint64_t key = key_of(record);
    const auto found = std::ranges::lower_bound(calls_by_key_, key, {}, [](const Entry& each) { return each.key; });
    return found == calls_by_key_.end() || found->key != key ? -1 : std::int64_t{found->index};
}

const ApiRecord* Recording::call_of(const TimedRecord& record) const noexcept {
    const std::int64_t index = call_index(record);
    return index < 0 ? nullptr : &records_.calls[static_cast<std::size_t>(index)];
}

const RangeRecord* Recording::range_of(const TimedRecord& record) const noexcept {
    const std::int64_t call = call_index(record);
    const std::int32_t range = call < 0 ? -1 : range_of_call_[static_cast<std::size_t>(call)];
    return range < 0 ? nullptr : &records_.ranges[static_cast<std::size_t>(range)];
}

const RangeRecord* Recording::parent_of(const RangeRecord& range) const noexcept {
    const auto first = std::ranges::lower_bound(records_.ranges, range.start, {}, &RangeRecord::start);
    for (auto found = first; found != records_.ranges.end() && found->start == range.start; ++found) {
        const RangeRecord& each = *found;
        const bool is_same =
            &each == &range || (each.end == range.end && each.thread == range.thread && each.name == range.name &&
                                each.process == range.process && each.domain == range.domain);
        if (!is_same) continue;
        const std::int32_t parent = parent_of_range_[static_cast<std::size_t>(&each - records_.ranges.data())];
        return parent < 0 ? nullptr : &records_.ranges[static_cast<std::size_t>(parent)];
    }
    return nullptr;
}

std::vector<const RangeRecord*> Recording::range_stack(const TimedRecord& record) const {
    std::vector<const RangeRecord*> stack;
    for (const RangeRecord* range = range_of(record); range != nullptr; range = parent_of(*range)) stack.push_back(range);
    return stack;
}

std::vector<const KernelRecord*> Recording::kernels_of(const ApiRecord& call) const {
    return records_with(key_of(call), kernels_by_key_, records_.kernels);
}

std::vector<const CopyRecord*> Recording::copies_of(const ApiRecord& call) const {
    return records_with(key_of(call), copies_by_key_, records_.copies);
}

std::vector<const FillRecord*> Recording::fills_of(const ApiRecord& call) const {
    return records_with(key_of(call), fills_by_key_, records_.fills);
}

void Recording::merge(Recording other) {
    Records all = records_;  // a failure changes nothing
    all.add(std::move(other.records_));
    *this = Recording(std::move(all));
}

Records Recording::release() noexcept {
    return std::exchange(*this, {}).records_;
}

}  // namespace CUBIND_NAMESPACE::profile

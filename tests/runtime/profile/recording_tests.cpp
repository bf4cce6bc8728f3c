// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Correlation, attribution to ranges, statistics and merging, of records that a program makes itself.
#include <cubind/profile/recording.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "made_records.hpp"

namespace cubind::testing {
namespace {

using namespace profile;

KernelRecord kernel(std::string_view name, int start, int end, std::uint32_t correlation = 0, std::uint32_t process = 4711) {
    auto record = timed<KernelRecord>(start, end, correlation, process);
    record.name = name;
    return record;
}

ApiRecord call(std::string_view name, int start, int end, std::uint32_t correlation, std::uint32_t thread = 5,
               std::uint32_t process = 4711) {
    auto record = timed<ApiRecord>(start, end, correlation, process);
    record.name = name;
    record.thread = thread;
    return record;
}

RangeRecord range(std::string_view name, int start, int end, std::uint32_t thread = 5, std::uint32_t process = 4711) {
    auto record = timed<RangeRecord>(start, end, 0, process);
    record.name = name;
    record.thread = thread;
    return record;
}

std::string stack_text(const Recording& recording, const TimedRecord& record) {
    std::string text;
    for (const RangeRecord* each : recording.range_stack(record)) text.append(each->name).append("<");
    return text;
}

TEST(RecordingTest, SortsByStart) {
    Records records;
    records.kernels = {kernel("c", 30, 31), kernel("a", 10, 40), kernel("b", 20, 21)};
    records.ranges = {range("inner", 5, 6), range("outer", 5, 9)};
    records.calls = {call("inner", 5, 6, 1), call("outer", 5, 9, 1)};
    const Recording recording(std::move(records));
    EXPECT_EQ(recording.kernels()[0].name, "a");
    EXPECT_EQ(recording.kernels()[2].name, "c");
    EXPECT_EQ(recording.ranges()[0].name, "outer");
    EXPECT_EQ(recording.calls()[0].name, "outer");
}

TEST(RecordingTest, CorrelatesWorkAndCalls) {
    Records records;
    records.calls = {call("cudaLaunchKernel", 0, 50, 1), call("cuLaunchKernel", 10, 40, 1), call("cuGraphLaunch", 60, 70, 2),
                     call("elsewhere", 0, 9, 2, 5, 2), call("cuMemcpyAsync", 80, 90, 3)};
    records.kernels = {kernel("b", 220, 230, 2), kernel("a", 200, 210, 2), kernel("k", 100, 110, 1), kernel("alone", 300, 301)};
    records.copies = {timed<CopyRecord>(400, 410, 3)};
    records.fills = {timed<FillRecord>(500, 510, 3)};
    const Recording recording(std::move(records));
    EXPECT_EQ(recording.call_of(recording.kernels()[0])->name, "cudaLaunchKernel");
    EXPECT_EQ(recording.call_of(recording.kernels()[3]), nullptr);
    const ApiRecord* const launch = recording.call_of(recording.kernels()[1]);
    ASSERT_NE(launch, nullptr);
    EXPECT_EQ(launch->name, "cuGraphLaunch");
    const auto nodes = recording.kernels_of(*launch);
    ASSERT_EQ(nodes.size(), 2u);
    EXPECT_EQ(nodes[0]->name, "a");
    EXPECT_EQ(nodes[1]->name, "b");
    const ApiRecord& copying = *recording.call_of(recording.copies()[0]);
    EXPECT_EQ(recording.copies_of(copying).size(), 1u);
    EXPECT_EQ(recording.fills_of(copying).size(), 1u);
    EXPECT_TRUE(recording.kernels_of(copying).empty());
}

TEST(RecordingTest, AttributesWorkToRangesOfTheCallingThread) {
    Records records;
    records.ranges = {range("step", 0, 100), range("solve", 10, 50), range("other thread", 0, 1000, 6),
                      range("of the process", 0, 1000, 0), range("later", 60, 90)};
    auto mark = range("mark", 20, 20);
    mark.is_mark = true;
    records.ranges.push_back(mark);
    records.calls = {call("a", 20, 30, 1), call("b", 50, 55, 2), call("c", 60, 61, 3), call("d", 100, 101, 4),
                     call("e", 5, 6, 5, 6)};
    // The work runs long after its range, and is attributed by its call.
    for (std::uint32_t i = 1; i <= 5; ++i) records.kernels.push_back(kernel("k", 2000 + static_cast<int>(i), 2100, i));
    const Recording recording(std::move(records));
    EXPECT_EQ(stack_text(recording, recording.kernels()[0]), "solve<step<");
    EXPECT_EQ(stack_text(recording, recording.kernels()[1]), "step<");  // "solve" has ended
    EXPECT_EQ(stack_text(recording, recording.kernels()[2]), "later<step<");
    EXPECT_EQ(stack_text(recording, recording.kernels()[3]), "");
    EXPECT_EQ(stack_text(recording, recording.kernels()[4]), "other thread<");
    EXPECT_EQ(recording.range_of(recording.calls()[1])->name, "solve");
    for (const RangeRecord& each : recording.ranges()) {
        if (each.is_mark) {
            EXPECT_EQ(recording.parent_of(each)->name, "solve");
        }
    }
}

TEST(RecordingTest, AttributesToTheLatestOfRangesThatOverlap) {
    Records records;
    records.ranges = {range("first", 0, 60), range("second", 40, 100)};
    auto open = range("open", 200, 210);
    open.is_open = true;
    records.ranges.push_back(open);
    records.calls = {call("a", 50, 51, 1), call("b", 70, 71, 2), call("c", 20, 21, 3), call("after the end", 250, 251, 4)};
    const Recording recording(std::move(records));
    EXPECT_EQ(stack_text(recording, recording.calls()[1]), "second<");
    EXPECT_EQ(stack_text(recording, recording.calls()[2]), "second<");
    EXPECT_EQ(stack_text(recording, recording.calls()[0]), "first<");
    EXPECT_EQ(stack_text(recording, recording.calls()[3]), "open<");
}

// Compares the attribution with the definition, tried for each range.
TEST(RecordingTest, AttributesRandomNestedRanges) {
    std::mt19937 random(7);
    for (int round = 0; round < 20; ++round) {
        Records records;
        std::vector<std::string> names(200);
        for (std::string& each : names) each = "r" + std::to_string(&each - names.data());
        std::vector<int> open;
        std::vector<std::pair<int, int>> limits;  // of the ranges
        int time = 0;
        std::size_t next = 0;
        std::uint32_t correlation = 0;
        while (next < names.size() || !open.empty()) {
            time += static_cast<int>(random() % 3) + 1;
            const unsigned choice = static_cast<unsigned>(random() % 3);
            if (choice == 0 && next < names.size()) {
                open.push_back(static_cast<int>(next++));
                limits.emplace_back(time, 0);
            } else if (choice == 1 && !open.empty()) {
                limits[static_cast<std::size_t>(open.back())].second = time;
                open.pop_back();
            } else {
                records.calls.push_back(call(open.empty() ? std::string_view() : names[static_cast<std::size_t>(open.back())],
                                             time, time, ++correlation));
                if (next == names.size() && !open.empty() && random() % 2 == 0) continue;
            }
        }
        for (std::size_t i = 0; i < limits.size(); ++i)
            records.ranges.push_back(range(names[i], limits[i].first, limits[i].second));
        const Recording recording(std::move(records));
        for (const ApiRecord& each : recording.calls()) {
            const RangeRecord* const found = recording.range_of(each);
            ASSERT_EQ(found == nullptr ? std::string_view() : found->name, each.name);
        }
    }
}

TEST(RecordingTest, SummarizesByName) {
    Records records;
    records.kernels = {kernel("a", 0, 10), kernel("a", 0, 40), kernel("a", 0, 21), kernel("a", 0, 20), kernel("b", 0, 9)};
    auto copy = timed<CopyRecord>(0, 10);
    copy.bytes = 100;
    copy.direction = CopyDirection::device_to_host;
    records.copies = {copy, copy};
    records.calls = {call("f", 0, 5, 1)};
    auto mark = range("mark", 1, 1);
    mark.is_mark = true;
    records.ranges = {range("r", 0, 3), mark};
    const Recording recording(std::move(records));
    const std::vector<Summary> rows = recording.summary();
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].name, "a");
    EXPECT_EQ(rows[0].count, 4u);
    EXPECT_EQ(rows[0].total, Nanoseconds(91));
    EXPECT_EQ(rows[0].mean, Nanoseconds(22));
    EXPECT_EQ(rows[0].median, Nanoseconds(20));
    EXPECT_EQ(rows[0].min, Nanoseconds(10));
    EXPECT_EQ(rows[0].max, Nanoseconds(40));
    EXPECT_DOUBLE_EQ(rows[0].part, 0.91);
    EXPECT_EQ(rows[1].median, Nanoseconds(9));
    const std::vector<Summary> copies = recording.summary(Subject::copies);
    ASSERT_EQ(copies.size(), 1u);
    EXPECT_EQ(copies[0].name, "device to host");
    EXPECT_EQ(copies[0].bytes, 200u);
    EXPECT_EQ(recording.summary(Subject::calls).size(), 1u);
    ASSERT_EQ(recording.summary(Subject::ranges).size(), 1u);
    EXPECT_EQ(recording.summary(Subject::ranges)[0].name, "r");
    for (const Subject each : {Subject::fills, Subject::synchronizations}) EXPECT_TRUE(recording.summary(each).empty());
}

TEST(RecordingTest, SummarizesKernelsByRange) {
    Records records;
    records.ranges = {range("step", 0, 10)};
    records.calls = {call("a", 1, 2, 1), call("b", 20, 21, 2)};
    records.kernels = {kernel("k", 50, 60, 1), kernel("l", 60, 65, 1), kernel("m", 65, 66, 2)};
    const Recording recording(std::move(records));
    const std::vector<Summary> rows = recording.kernels_by_range();
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[0].name, "step");
    EXPECT_EQ(rows[0].total, Nanoseconds(15));
    EXPECT_EQ(rows[1].name, "");
}

TEST(RecordingTest, MergesProcesses) {
    const auto part = [](std::uint32_t process, int start) {
        Records records;
        auto names = std::make_shared<NamePool>();
        records.start = at(start);
        records.end = at(start + 100);
        records.kernels = {kernel(names->intern("kernel of " + std::to_string(process)), start + 10, start + 20, 1, process)};
        records.calls = {call(names->intern("call of " + std::to_string(process)), start, start + 1, 1, 5, process)};
        records.dropped.by_cupti = process;
        records.notes = {"note of " + std::to_string(process)};
        records.names = {names};
        return Recording(std::move(records));
    };
    Recording all;
    all.merge(part(2, 1000));
    all.merge(part(1, 500));
    all.merge({});
    EXPECT_EQ(all.start(), at(500));
    EXPECT_EQ(all.end(), at(1100));
    EXPECT_EQ(all.dropped().total(), 3u);
    EXPECT_EQ(all.notes().size(), 2u);
    ASSERT_EQ(all.kernels().size(), 2u);
    EXPECT_EQ(all.kernels()[0].name, "kernel of 1");
    EXPECT_EQ(all.call_of(all.kernels()[0])->name, "call of 1");
    EXPECT_EQ(all.call_of(all.kernels()[1])->name, "call of 2");
    Recording copy = all;
    const Records released = all.release();
    EXPECT_EQ(all.size(), 0u);
    EXPECT_EQ(released.size(), 4u);
    EXPECT_EQ(copy.kernels()[1].name, "kernel of 2");
}

TEST(NamePoolTest, StoresEqualTextsOnce) {
    NamePool pool;
    const std::string text = "name";
    const std::string_view first = pool.intern(text);
    EXPECT_NE(first.data(), text.data());
    for (int i = 0; i < 1000; ++i) static_cast<void>(pool.intern(std::to_string(i)));
    EXPECT_EQ(pool.intern("name").data(), first.data());
    EXPECT_EQ(first, "name");
}

}  // namespace
}  // namespace cubind::testing

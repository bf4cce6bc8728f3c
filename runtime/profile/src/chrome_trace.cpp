// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/profile/outputs.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "output_fields.hpp"
#include "platform/quoted_text.hpp"

namespace CUBIND_NAMESPACE::profile {

using cubind::detail::append_microseconds;
using cubind::detail::append_quoted;

namespace {

// Viewers group rows by process. A device is shown as a process, whose number no process of the system has.
constexpr std::uint32_t device_process = 1u << 30;

struct Row {
    std::uint32_t process = 0;
    std::uint32_t number = 0;
};

/// Divides the work of a row into as many rows as are needed, because viewers show only slices that are nested. The work of a
/// graph's branches overlaps within a stream.
class Lanes {
public:
    /// Returns the lane of a slice. Slices come by start.
    std::size_t lane_of(const TimedRecord& slice) {
        for (std::size_t lane = 0;; ++lane) {
            if (lane == lanes_.size()) lanes_.emplace_back();
            std::vector<TimePoint>& ends = lanes_[lane];
            while (!ends.empty() && ends.back() <= slice.start) ends.pop_back();
            if (!ends.empty() && ends.back() < slice.end) continue;
            ends.push_back(slice.end);
            return lane;
        }
    }

private:
    std::vector<std::vector<TimePoint>> lanes_;  // the ends of the open slices of each lane
};

class ChromeTrace {
public:
    explicit ChromeTrace(const Recording& recording) : recording_(recording) {}

    std::string text() && {
        add_threads();
        add_devices();
        add_memory();
        if (out_.ends_with(",\n")) out_.erase(out_.size() - 2);
        out_ += "\n],\n\"otherData\":{\"dropped\":\"";
        out_ += std::to_string(recording_.dropped().total());
        return std::move(out_) + "\"}}\n";
    }

private:
    using Thread = std::pair<std::uint32_t, std::uint32_t>;                                 // process and thread
    using Stream = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;  // process, device, context and stream

    void begin(std::string_view phase, Row row) {
        out_.append("{\"ph\":\"").append(phase).append("\",\"pid\":");
        out_ += std::to_string(row.process);
        out_ += ",\"tid\":";
        out_ += std::to_string(row.number);
    }
    void time(std::string_view name, Nanoseconds value) {
        out_.append(",\"").append(name).append("\":");
        append_microseconds(out_, value.count());
    }
    void text(std::string_view name, std::string_view value) {
        out_.append(",\"").append(name).append("\":");
        append_quoted(out_, value);
    }
    void end() { out_ += "},\n"; }
    template <class Record>
    void end_with(const Record& record) {
        out_ += ",\"args\":";
        detail::append_json(out_, recording_, record, false);
        end();
    }
    Nanoseconds since_start(TimePoint time) const { return time - recording_.start(); }

    void name(std::string_view what, Row row, std::string_view value) {
        begin("M", row);
        text("name", what);
        out_ += ",\"args\":{\"name\":";
        append_quoted(out_, value);
        out_ += '}';
        end();
    }

    void name_process(std::uint32_t process, const std::string& value) {
        if (named_processes_.insert(process).second) name("process_name", {process, 0}, value);
    }

    template <class Record>
    void slice(const Record& record, std::string_view category, std::string_view title, Row row) {
        begin("X", row);
        time("ts", since_start(record.start));
        time("dur", record.duration());
        text("cat", category);
        text("name", title);
        end_with(record);
    }

    // Names a new row, and the group of rows that it is in.
    void name_row(Row row, const std::string& group, std::string title, std::size_t lane) {
        name_process(row.process, group);
        if (lane > 0) title += " (" + std::to_string(lane + 1) + ")";
        name("thread_name", row, title);
    }
    static std::string device_name(std::uint32_t device) { return "GPU " + std::to_string(device); }

    // Rows of further lanes have numbers that no thread has.
    Row thread_row(std::uint32_t process, std::uint32_t thread, std::size_t lane) {
        const auto [found, is_new] = rows_of_threads_.try_emplace({{process, thread}, lane}, Row{process, thread});
        if (!is_new) return found->second;
        if (lane > 0) found->second.number = next_row_++;
        name_row(found->second, "process " + std::to_string(process),
                 thread == 0 ? "ranges of the process" : "thread " + std::to_string(thread), lane);
        return found->second;
    }

    // Ranges precede the calls within them, as calls precede those that they make.
    void add_threads() {
        std::map<Thread, Lanes> lanes;
        auto range = recording_.ranges().begin();
        const auto add_ranges_until = [&](TimePoint end) {
            for (; range != recording_.ranges().end() && range->start <= end; ++range) add_range(*range, lanes);
        };
        for (const ApiRecord& call : recording_.calls()) {
            add_ranges_until(call.start);
            const Row row = thread_row(call.process, call.thread, lanes[{call.process, call.thread}].lane_of(call));
            row_of_call_.push_back(row);
            slice(call, to_string(call.api), call.name, row);
        }
        add_ranges_until(TimePoint::max());
    }

    void add_range(const RangeRecord& range, std::map<Thread, Lanes>& lanes) {
        const std::string_view category = range.domain.empty() ? std::string_view("range") : range.domain;
        if (range.is_mark) {
            begin("i", thread_row(range.process, range.thread, 0));
            time("ts", since_start(range.start));
            text("s", "t");
            text("cat", category);
            text("name", range.name);
            return end_with(range);
        }
        slice(range, category, range.name,
              thread_row(range.process, range.thread, lanes[{range.process, range.thread}].lane_of(range)));
    }

    Row stream_row(const DeviceRecord& work, std::size_t lane) {
        const Stream stream{work.process, work.device, work.context, work.stream};
        const auto [found, is_new] = rows_of_streams_.try_emplace({stream, lane}, Row{device_process + work.device, next_row_});
        if (!is_new) return found->second;
        ++next_row_;
        const std::string title = "stream " + std::to_string(work.stream) + " (context " + std::to_string(work.context) +
                                  " of process " + std::to_string(work.process) + ")";
        name_row(found->second, device_name(work.device), title, lane);
        return found->second;
    }

    void add_work(const auto& work, std::string_view category, const std::string& title) {
        const Row row = stream_row(work, lanes_of_streams_[{work.process, work.device, work.context, work.stream}].lane_of(work));
        slice(work, category, title, row);
        add_arrow(work, row);
    }
    void add(const KernelRecord& work) { add_work(work, "kernel", std::string(work.name)); }
    void add(const CopyRecord& work) { add_work(work, "copy", std::string("copy ") + to_string(work.direction)); }
    void add(const FillRecord& work) { add_work(work, "fill", std::string("fill ") + to_string(work.memory)); }

    // By start over all kinds, because lanes need them so.
    void add_devices() {
        std::vector<std::variant<const KernelRecord*, const CopyRecord*, const FillRecord*>> all;
        for (const KernelRecord& each : recording_.kernels()) all.emplace_back(&each);
        for (const CopyRecord& each : recording_.copies()) all.emplace_back(&each);
        for (const FillRecord& each : recording_.fills()) all.emplace_back(&each);
        const auto start_of = [](const auto& work) { return std::visit([](auto* each) { return each->start; }, work); };
        std::ranges::stable_sort(all, {}, start_of);
        for (const auto& work : all) std::visit([&](auto* each) { add(*each); }, work);
    }

    // Leads from the call to its work.
    void add_arrow(const DeviceRecord& work, Row row) {
        const ApiRecord* const call = recording_.call_of(work);
        if (call == nullptr) return;
        ++arrows_;
        const auto half = [&](std::string_view phase, Row place, TimePoint at, std::string_view more) {
            begin(phase, place);
            time("ts", since_start(at));
            out_ += ",\"id\":";
            out_ += std::to_string(arrows_);
            text("cat", "launch");
            text("name", "launch");
            out_ += more;
            end();
        };
        half("s", row_of_call_[static_cast<std::size_t>(call - recording_.calls().data())], call->start, "");
        half("f", row, work.start, ",\"bp\":\"e\"");
    }

    // Draws the memory whose allocation was recorded.
    void add_memory() {
        std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> allocations;  // by process and address
        std::map<std::uint32_t, std::uint64_t> totals;                                 // by device
        for (const MemoryRecord& each : recording_.memory_operations()) {
            const std::pair key{each.process, each.address};
            std::uint64_t& total = totals[each.device];
            if (!each.is_release) {
                allocations[key] = each.bytes;
                total += each.bytes;
            } else if (const auto found = allocations.find(key); found != allocations.end()) {
                total -= std::min(total, found->second);
                allocations.erase(found);
            } else {
                continue;
            }
            name_process(device_process + each.device, device_name(each.device));
            begin("C", {device_process + each.device, 0});
            time("ts", since_start(each.start));
            text("name", "allocated memory");
            out_ += ",\"args\":{\"bytes\":";
            out_ += std::to_string(total);
            out_ += '}';
            end();
        }
    }

    const Recording& recording_;
    std::string out_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
    std::map<std::pair<Thread, std::size_t>, Row> rows_of_threads_;  // by thread and lane
    std::map<Stream, Lanes> lanes_of_streams_;
    std::map<std::pair<Stream, std::size_t>, Row> rows_of_streams_;  // by stream and lane
    std::set<std::uint32_t> named_processes_;
    std::vector<Row> row_of_call_;
    std::uint32_t next_row_ = 1u << 24;
    std::uint64_t arrows_ = 0;
};

}  // namespace

std::string chrome_trace(const Recording& recording) {
    return ChromeTrace(recording).text();
}

}  // namespace CUBIND_NAMESPACE::profile

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/profile/records.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// The result of a Recorder.
namespace CUBIND_NAMESPACE::profile {

/// What a summary or a table is about.
enum class Subject : std::uint8_t { kernels, copies, fills, calls, synchronizations, ranges };
/// Returns the subject's name: "kernels".
[[nodiscard]] CUBIND_EXPORT const char* to_string(Subject subject) noexcept;

/// Statistics of the records with one name.
struct Summary {
    std::string_view name = {};  ///< kernel, direction of a copy, function, kind of a wait, or message of a range
    std::size_t count = 0;       ///< number of records
    Nanoseconds total = {};      ///< sum of the durations
    Nanoseconds mean = {};       ///< total / count, rounded down
    Nanoseconds median = {};     ///< middle duration; of an even number, the mean of the two in the middle, rounded down
    Nanoseconds min = {};        ///< shortest duration
    Nanoseconds max = {};        ///< longest duration
    double part = 0;             ///< total / sum of all totals, from 0 to 1
    std::uint64_t bytes = 0;     ///< sum of the sizes of copies and fills
};

/// Records in the order of their starts, correlated with each other. Copyable, movable, and independent of CUPTI and of the
/// recorder that created it. Functions that return a pointer return null if there is no such record, for example because the
/// activity was not recorded; the pointers are valid until the recording is changed or destroyed. Threads may read one recording
/// at the same time.
///
///     const Recording recording = recorder.stop();
///     for (const KernelRecord& kernel : recording.kernels()) {
///         const RangeRecord* range = recording.range_of(kernel);
///         std::cout << kernel.name << ' ' << kernel.duration().count() << " ns in " << (range ? range->name : "no range") <<
///         '\n';
///     }
class CUBIND_EXPORT Recording {
public:
    /// Creates a recording without records.
    Recording() = default;
    /// Sorts and correlates records. Throws std::bad_alloc.
    explicit Recording(Records records);

    /// Returns the executions of kernels by start.
    [[nodiscard]] std::span<const KernelRecord> kernels() const noexcept { return records_.kernels; }
    /// Returns the copies by start.
    [[nodiscard]] std::span<const CopyRecord> copies() const noexcept { return records_.copies; }
    /// Returns the fills by start.
    [[nodiscard]] std::span<const FillRecord> fills() const noexcept { return records_.fills; }
    /// Returns the allocations and releases of memory by time.
    [[nodiscard]] std::span<const MemoryRecord> memory_operations() const noexcept { return records_.memory_operations; }
    /// Returns the calls of the driver and the runtime library by start.
    [[nodiscard]] std::span<const ApiRecord> calls() const noexcept { return records_.calls; }
    /// Returns the waits by start.
    [[nodiscard]] std::span<const SynchronizationRecord> synchronizations() const noexcept { return records_.synchronizations; }
    /// Returns the ranges and marks of NVTX by start; a range precedes those within it.
    [[nodiscard]] std::span<const RangeRecord> ranges() const noexcept { return records_.ranges; }
    /// Returns all of these.
    [[nodiscard]] const Records& records() const noexcept { return records_; }
    /// Returns the begin of the recording; of merged ones, the first.
    [[nodiscard]] TimePoint start() const noexcept { return records_.start; }
    /// Returns the end of the recording; of merged ones, the last.
    [[nodiscard]] TimePoint end() const noexcept { return records_.end; }
    /// Returns the number of all records.
    [[nodiscard]] std::size_t size() const noexcept { return records_.size(); }
    /// Returns the numbers of missing records.
    [[nodiscard]] const DroppedRecords& dropped() const noexcept { return records_.dropped; }
    /// Returns sentences about what the recording lacks, and why.
    [[nodiscard]] std::span<const std::string> notes() const noexcept { return records_.notes; }

    /// Returns the call that has caused the work, or that has waited. If a function of the runtime library calls the driver, and
    /// both calls are recorded with this number, that is the outer one.
    [[nodiscard]] const ApiRecord* call_of(const TimedRecord& record) const noexcept;
    /// Returns the innermost NVTX range of the calling thread at the begin of the call, or of the record's own call (call_of()).
    [[nodiscard]] const RangeRecord* range_of(const TimedRecord& record) const noexcept;
    /// Returns the innermost range of the same thread that contains this range. Null for ranges of the process.
    [[nodiscard]] const RangeRecord* parent_of(const RangeRecord& range) const noexcept;
    /// Returns the ranges around a record, the innermost first. Throws std::bad_alloc.
    [[nodiscard]] std::vector<const RangeRecord*> range_stack(const TimedRecord& record) const;
    /// Returns the kernels that this call has launched, by start; a launch of a graph may have several. Throws std::bad_alloc.
    [[nodiscard]] std::vector<const KernelRecord*> kernels_of(const ApiRecord& call) const;
    /// Returns the copies that this call has caused, by start. Throws std::bad_alloc.
    [[nodiscard]] std::vector<const CopyRecord*> copies_of(const ApiRecord& call) const;
    /// Returns the fills that this call has caused, by start. Throws std::bad_alloc.
    [[nodiscard]] std::vector<const FillRecord*> fills_of(const ApiRecord& call) const;

    /// Returns statistics by name, the largest total first, and names of equal totals in alphabetical order. Marks are left out.
    /// The total of ranges is the time on the host. Throws std::bad_alloc.
    [[nodiscard]] std::vector<Summary> summary(Subject subject = Subject::kernels) const;
    /// Returns statistics of the kernels by the message of the innermost range that launched them; "" for those without a range.
    /// Throws std::bad_alloc.
    [[nodiscard]] std::vector<Summary> kernels_by_range() const;

    /// Adds the records of another recording, of this process or another one of the same machine. Throws std::bad_alloc, and then
    /// changes nothing.
    void merge(Recording other);
    /// Returns the records, and leaves an empty recording.
    [[nodiscard]] Records release() noexcept;

private:
    struct Entry {
        std::uint64_t key;  // process and correlation number
        std::uint32_t index;
    };
    using Index = std::vector<Entry>;  // sorted by key, then by index

    void attribute_to_ranges();
    std::int64_t call_index(const TimedRecord& record) const noexcept;

    Records records_;
    Index calls_by_key_;  // the outer call of each key only
    Index kernels_by_key_;
    Index copies_by_key_;
    Index fills_by_key_;
    std::vector<std::int32_t> range_of_call_;    // by index of the call; -1 is none
    std::vector<std::int32_t> parent_of_range_;  // by index of the range; -1 is none
};

}  // namespace CUBIND_NAMESPACE::profile

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/cupti/types.hpp>
#include <cubind/profile/records.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace CUBIND_NAMESPACE::profile::detail {

/// Reads CUPTI's records. Not thread-safe. The functions throw std::bad_alloc.
class RecordReader {
public:
    /// Reads records of this process from now on, at most `max_records`. `shift` is added to CUPTI's times, in nanoseconds.
    void begin(TimePoint start, std::int64_t shift, std::uint32_t process, std::size_t max_records);
    /// Adds a record. Does not add it if there are too many records, or if its work has not ended.
    void add(const cupti::CUpti_Activity& record);
    Records& records() noexcept { return records_; }

    /// Returns the records, and leaves none, except ranges that have not ended. Returns these, too, if this is the end.
    Records take(TimePoint now, bool is_end);

private:
    TimePoint time(std::uint64_t cupti_time) const noexcept;
    template <class Record>
    void set_times(TimedRecord& to, const Record& from) const noexcept;
    template <class Record>
    void set_device(DeviceRecord& to, const Record& from) const noexcept;
    std::string_view intern(const char* text);
    std::string_view demangled(std::string_view symbol);
    std::string_view function_name(Api api, std::uint32_t id);

    void add_kernel(const cupti::CUpti_ActivityKernel9& from);
    template <class Record>
    CopyRecord& add_any_copy(const Record& from);
    void add_copy(const cupti::CUpti_ActivityMemcpy5& from);
    void add_peer_copy(const cupti::CUpti_ActivityMemcpyPtoP4& from);
    void add_fill(const cupti::CUpti_ActivityMemset4& from);
    void add_memory(const cupti::CUpti_ActivityMemory3& from);
    void add_call(const cupti::CUpti_ActivityAPI& from);
    void add_synchronization(const cupti::CUpti_ActivitySynchronization& from);
    void add_marker(const cupti::CUpti_ActivityMarker2& from);
    void add_marker_data(const cupti::CUpti_ActivityMarkerData& from);

    std::int64_t shift_ = 0;
    std::uint32_t process_ = 0;
    std::size_t max_records_ = 0;
    Records records_;
    std::shared_ptr<NamePool> pool_;
    std::unordered_map<std::uint32_t, RangeRecord> open_ranges_;                    // by CUPTI's number
    std::unordered_map<std::string_view, std::string_view> demangled_;              // by symbol; views of the pool
    std::array<std::unordered_map<std::uint32_t, std::string_view>, 2> functions_;  // by Api and CUPTI's number
    std::uint32_t last_range_id_ = 0;                                               // of the latest mark; its data follow it
};

}  // namespace CUBIND_NAMESPACE::profile::detail

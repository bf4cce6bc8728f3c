// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/dim3.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

/// @file
/// What a Recorder records: plain values. Times are those of std::chrono::steady_clock, also of the work of GPUs, so that a
/// program can compare them with its own. Texts are views of a NamePool, which the Records or the Recording with the record
/// keeps.
namespace CUBIND_NAMESPACE::profile {

/// A time. std::chrono::steady_clock counts nanoseconds, and all processes of a machine share it.
using TimePoint = std::chrono::steady_clock::time_point;
/// A duration in nanoseconds.
using Nanoseconds = std::chrono::nanoseconds;

/// What the records have in common.
struct TimedRecord {
    TimePoint start = {};              ///< begin of the work or the call
    TimePoint end = {};                ///< end of the work or the call
    std::uint32_t process = 0;         ///< number of the process
    std::uint32_t correlation_id = 0;  ///< number of the API call that has caused the work, within its process; 0 is none

    /// Returns the time from the start to the end.
    [[nodiscard]] Nanoseconds duration() const noexcept { return end - start; }
};

/// What the records of a GPU's work have in common. CUPTI chooses the numbers of contexts and streams.
struct DeviceRecord : TimedRecord {
    std::uint32_t device = 0;      ///< ordinal of the device
    std::uint32_t context = 0;     ///< number of the context
    std::uint32_t stream = 0;      ///< number of the stream
    std::uint32_t graph = 0;       ///< number of the graph that the work is a node of; 0 is none
    std::uint64_t graph_node = 0;  ///< number of the node; 0 is none
};

/// An execution of a kernel.
struct KernelRecord : DeviceRecord {
    std::string_view name = {};                 ///< as in the source: "void scale<float>(float*, int)"
    std::string_view symbol = {};               ///< mangled name
    Dim3 grid = {};                             ///< blocks
    Dim3 block = {};                            ///< threads of a block
    Dim3 cluster = {0, 0, 0};                   ///< blocks of a cluster; zeros without clusters
    std::uint32_t registers_per_thread = 0;     ///< registers of a thread
    std::uint32_t static_shared_memory = 0;     ///< bytes a block
    std::uint32_t dynamic_shared_memory = 0;    ///< bytes a block
    std::uint32_t local_memory_per_thread = 0;  ///< bytes a thread
};

/// The direction of a copy.
enum class CopyDirection : std::uint8_t {
    unknown,
    host_to_device,
    device_to_host,
    host_to_array,
    array_to_host,
    array_to_array,
    array_to_device,
    device_to_array,
    device_to_device,
    host_to_host,
    peer_to_peer,
};
/// The kind of memory.
enum class MemoryKind : std::uint8_t { unknown, pageable, pinned, device, array, managed, device_static, managed_static };
/// Returns the direction as text: "host to device".
[[nodiscard]] CUBIND_EXPORT const char* to_string(CopyDirection direction) noexcept;
/// Returns the kind of memory as text: "pinned".
[[nodiscard]] CUBIND_EXPORT const char* to_string(MemoryKind kind) noexcept;

/// A copy.
struct CopyRecord : DeviceRecord {
    std::uint64_t bytes = 0;                           ///< size
    CopyDirection direction = CopyDirection::unknown;  ///< direction
    MemoryKind source = MemoryKind::unknown;           ///< memory that is read
    MemoryKind destination = MemoryKind::unknown;      ///< memory that is written
    bool is_asynchronous = false;                      ///< whether the call returns before the copy has ended
    std::uint32_t source_device = 0;                   ///< for copies between devices; otherwise the device of the record
    std::uint32_t destination_device = 0;              ///< for copies between devices; otherwise the device of the record
};

/// A fill of memory with a value.
struct FillRecord : DeviceRecord {
    std::uint64_t bytes = 0;                  ///< size
    std::uint32_t value = 0;                  ///< value of an element
    MemoryKind memory = MemoryKind::unknown;  ///< memory that is written
    bool is_asynchronous = false;             ///< whether the call returns before the fill has ended
};

/// An allocation of memory, or its release. It has no duration: start and end are equal.
struct MemoryRecord : DeviceRecord {
    std::uint64_t address = 0;                ///< first address
    std::uint64_t bytes = 0;                  ///< size
    MemoryKind memory = MemoryKind::unknown;  ///< kind of memory
    bool is_release = false;                  ///< whether memory is released
    bool is_asynchronous = false;             ///< whether it is ordered by the stream
};

/// The library of a call.
enum class Api : std::uint8_t { driver, runtime };
/// Returns the library's name in cubind: "driver" or "runtime".
[[nodiscard]] CUBIND_EXPORT const char* to_string(Api api) noexcept;

/// A call of the driver or the runtime library.
struct ApiRecord : TimedRecord {
    std::string_view name = {};     ///< function, with its version: "cuMemAlloc_v2"
    std::uint32_t function_id = 0;  ///< CUPTI's number of the function
    Api api = Api::driver;          ///< library
    std::uint32_t thread = 0;       ///< number of the thread, as the system numbers it
    std::int32_t status = 0;        ///< what the function has returned; 0 is success
};

/// The kind of a wait.
enum class SynchronizationKind : std::uint8_t { unknown, event, stream_waits_for_event, stream, context };
/// Returns the kind of the wait as text: "stream waits for event".
[[nodiscard]] CUBIND_EXPORT const char* to_string(SynchronizationKind kind) noexcept;

/// A wait of the host for a GPU, or of a stream for an event.
struct SynchronizationRecord : TimedRecord {
    SynchronizationKind kind = SynchronizationKind::unknown;  ///< kind
    std::uint32_t context = 0;                                ///< number of the context
    std::uint32_t stream = 0;                                 ///< number of the stream; meaningless for contexts
    std::uint32_t event = 0;                                  ///< number of the event; 0 is none
};

/// A range or a mark of NVTX.
struct RangeRecord : TimedRecord {
    std::string_view name = {};    ///< message
    std::string_view domain = {};  ///< name of the domain; empty for the common one
    std::uint32_t thread = 0;      ///< thread that has begun the range, as the system numbers it; 0 for ranges of the process
    std::uint32_t color = 0;       ///< as 0xAARRGGBB; 0 is none
    std::uint32_t category = 0;    ///< number of the category; 0 is none
    double payload = 0;            ///< number of the range; 0 is none
    bool is_mark = false;          ///< whether this is a mark, which has no duration
    bool is_open = false;          ///< whether the range had not ended when the recording did; the end is that of the recording
};

/// The texts of records. Equal texts are stored once. Not thread-safe.
class CUBIND_EXPORT NamePool {
public:
    /// Creates an empty pool.
    NamePool() = default;
    NamePool(const NamePool&) = delete;
    NamePool& operator=(const NamePool&) = delete;

    /// Returns a copy of the text, which lives as long as the pool and ends with a NUL. Throws std::bad_alloc.
    std::string_view intern(std::string_view text);

private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };

    std::unordered_set<std::string, Hash, std::equal_to<>> texts_;
};

/// Records that are missing.
struct DroppedRecords {
    std::size_t by_cupti = 0;    ///< CUPTI had no buffer for them: RecorderOptions::max_buffers
    std::size_t by_limit = 0;    ///< the recorder had no room for them: RecorderOptions::max_records, or memory was exhausted
    std::size_t incomplete = 0;  ///< the work had not ended when the recording did: synchronize before

    /// Returns the number of all missing records.
    [[nodiscard]] std::size_t total() const noexcept { return by_cupti + by_limit + incomplete; }
};

/// Records in any order, as plain values. A program may create them itself, to combine or filter recordings.
struct CUBIND_EXPORT Records {
    TimePoint start = {};                                      ///< begin of the recording
    TimePoint end = {};                                        ///< end of the recording
    std::vector<KernelRecord> kernels = {};                    ///< executions of kernels
    std::vector<CopyRecord> copies = {};                       ///< copies
    std::vector<FillRecord> fills = {};                        ///< fills
    std::vector<MemoryRecord> memory_operations = {};          ///< allocations and releases
    std::vector<ApiRecord> calls = {};                         ///< calls of the driver and the runtime library
    std::vector<SynchronizationRecord> synchronizations = {};  ///< waits
    std::vector<RangeRecord> ranges = {};                      ///< ranges and marks of NVTX
    DroppedRecords dropped = {};                               ///< missing records
    std::vector<std::string> notes = {};                       ///< sentences about what the recording lacks, and why
    std::vector<std::shared_ptr<NamePool>> names = {};         ///< owners of the texts

    /// Adds the records of another recording, of this process or another one of the same machine, and those of its notes that are
    /// new. Throws std::bad_alloc, and then has a part of them.
    void add(Records more);
    /// Returns the number of records.
    [[nodiscard]] std::size_t size() const noexcept {
        return kernels.size() + copies.size() + fills.size() + memory_operations.size() + calls.size() + synchronizations.size() +
               ranges.size();
    }
};

}  // namespace CUBIND_NAMESPACE::profile

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "ptx/run/grid.hpp"

/// The device runtime, with which kernels launch kernels.
namespace CUBIND_NAMESPACE::sim::ptx {

class LaunchTree;
struct RunningGrid;

/// Errors of the device runtime, with the values of cudaError_t.
enum class DeviceError : std::int32_t {
    none = 0,
    invalid_value = 1,
    memory_allocation = 2,
    invalid_configuration = 9,
    invalid_memcpy_direction = 21,
    pending_count_exceeded = 69,
    invalid_device_function = 98,
    invalid_device = 101,
    invalid_resource_handle = 400,
    illegal_address = 700,
};

/// Streams for launches of graphs, by their handles.
enum class GraphStream : std::uint64_t {
    tail_launch = 0x0100000000000000,
    fire_and_forget = 0x0200000000000000,
    fire_and_forget_as_sibling = 0x0300000000000000,
};

/// The services of the driver for the device runtime. Thread-safe.
class DeviceRuntimeHost {
public:
    virtual ~DeviceRuntimeHost() = default;
    /// Checks the shape of a launch against the limits of the device and the kernel, and completes the request. Returns false if
    /// the launch is invalid.
    virtual bool check(GridRequest& request) = 0;
    /// Returns the function that runs instead of the PTX of a kernel, or an empty one.
    virtual std::function<GridResult(const GridRequest&)> find_body(const GridRequest& request) = 0;
    /// Launches a graph. Returns nothing if the launch of the host is not part of a graph, and illegal_address if the handle is
    /// not one of a graph that kernels can launch.
    virtual std::optional<DeviceError> launch_graph(std::uint64_t graph, GraphStream stream) = 0;
    /// Return the value of an attribute of the device and of a limit of the context, by their numbers in the API.
    virtual std::optional<int> find_attribute(int device, int attribute) = 0;
    virtual std::optional<std::size_t> find_limit(int limit) = 0;
    virtual int device() const = 0;
    virtual int device_count() const = 0;
    /// Returns how many launches may exist that have not begun.
    virtual std::size_t max_pending_launches() const = 0;
};

/// What a kernel launched or submitted: a kernel or an operation on memory.
struct DeviceTask {
    GridRequest request;
    std::shared_ptr<AlignedBytes> parameters;
    std::function<GridResult()> operation;  ///< runs instead of PTX; may be empty
    bool is_launch = false;                 ///< whether it counts as a pending launch
};

/// A task and its order. It begins when the work in front of it has completed.
struct DeviceWork {
    RunningGrid* parent = nullptr;  ///< grid that submitted it, which completes later; null for the launch of the host
    std::unique_ptr<DeviceTask> task;
    RunningGrid* grid = nullptr;  ///< grid that runs its task; null if none does
    unsigned waits = 0;           ///< work in front of it that has not completed
    bool is_complete = false;
    std::vector<std::shared_ptr<DeviceWork>> followers;
    std::deque<std::unique_ptr<DeviceTask>> tails;  ///< tasks that follow before the work is complete
};

/// A thread that calls the runtime.
struct CallingThread {
    std::uint64_t block = 0;  ///< linear index of its block
    unsigned index = 0;       ///< linear index in the block
    auto operator<=>(const CallingThread&) const = default;
};

/// The runtime as the threads of one grid use it: memory for parameters, streams, events and errors. Functions that return an
/// error also store it as the last error of the thread. Thread-safe.
class DeviceRuntime {
public:
    static constexpr std::uint64_t tail_launch = 3;      ///< handle of the stream whose work follows the grid
    static constexpr std::uint64_t fire_and_forget = 4;  ///< handle of the stream without an order

    DeviceRuntime(LaunchTree& tree, RunningGrid& grid) : tree_(tree), grid_(grid) {}

    DeviceRuntimeHost& host() const noexcept;
    /// Returns the address of memory for the parameters of a launch; 0 after an error. The launch counts as pending from then on.
    std::uint64_t prepare(const CallingThread& thread, std::uint64_t function, Extent3 grid, Extent3 block, std::size_t shared);
    /// The same for memory of this size. set_kernel() sets the kernel later.
    std::uint64_t prepare(const CallingThread& thread, std::size_t bytes);
    DeviceError launch(const CallingThread& thread, std::uint64_t buffer, std::uint64_t stream);
    /// Sets the kernel of a launch whose memory was prepared by size.
    DeviceError set_kernel(const CallingThread& thread, std::uint64_t buffer, std::uint64_t function, Extent3 grid, Extent3 block,
                           std::size_t shared);
    /// Submits an operation on memory.
    DeviceError submit(const CallingThread& thread, std::function<GridResult()> operation, std::uint64_t stream);

    DeviceError create_stream(const CallingThread& thread, unsigned flags, std::uint64_t& stream);
    DeviceError destroy_stream(const CallingThread& thread, std::uint64_t stream);
    DeviceError create_event(const CallingThread& thread, unsigned flags, std::uint64_t& event);
    DeviceError destroy_event(const CallingThread& thread, std::uint64_t event);
    DeviceError record(const CallingThread& thread, std::uint64_t event, std::uint64_t stream);
    DeviceError wait(const CallingThread& thread, std::uint64_t stream, std::uint64_t event);

    /// Stores `error` as the last error of a thread unless it is DeviceError::none, and returns it.
    DeviceError set_error(const CallingThread& thread, DeviceError error);
    /// Returns the last error of a thread, and removes it if `is_reset`.
    DeviceError last_error(const CallingThread& thread, bool is_reset);

    /// Finds memory for parameters, and texts that the runtime returns.
    bool find(std::uint64_t address, MemoryRange& range);
    /// Removes launches that were prepared but never submitted.
    void clear();

private:
    struct Stream {
        std::shared_ptr<DeviceWork> last;
        std::vector<std::shared_ptr<DeviceWork>> events;  ///< that the next work waits for, too
    };

    std::uint64_t add_buffer(const CallingThread& thread, std::unique_ptr<DeviceTask> task, std::size_t bytes);
    DeviceError complete_request(GridRequest& request, std::uint64_t function, Extent3 grid, Extent3 block, std::size_t shared);
    /// Returns the stream of a handle that has an order, or null.
    Stream* find_stream(const CallingThread& thread, std::uint64_t stream);
    DeviceError submit(const CallingThread& thread, std::unique_ptr<DeviceTask> task, std::uint64_t stream);
    DeviceError store(const CallingThread& thread, DeviceError error);

    LaunchTree& tree_;
    RunningGrid& grid_;
    // The mutex of the tree guards all members below.
    std::map<std::uint64_t, std::unique_ptr<DeviceTask>> prepared_;  ///< by the address of the parameters
    std::map<std::uint64_t, Stream> block_streams_;                  ///< default streams, by block
    std::map<CallingThread, Stream> thread_streams_;                 ///< default streams of threads
    std::map<std::uint64_t, Stream> streams_;                        ///< by handle
    std::map<std::uint64_t, std::shared_ptr<DeviceWork>> events_;    ///< by handle; null before a record
    std::map<CallingThread, DeviceError> errors_;
};

/// Return the name and a description of an error, which kernels may read. Both are valid forever.
const char* name_of(DeviceError error) noexcept;
const char* describe(DeviceError error) noexcept;

}  // namespace CUBIND_NAMESPACE::sim::ptx

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/bootstrap.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/nccl_core/collective_config.hpp>
#include <cubind/nccl_core/communicator_config.hpp>
#include <cubind/nccl_core/detail/elements.hpp>
#include <cubind/nccl_core/reduction.hpp>
#include <cubind/nccl_core/signal.hpp>
#include <cubind/nccl_core/unique_id.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace CUBIND_NAMESPACE::nccl {

class Window;

namespace detail {
class Registration;
}

/// An owner of one rank of a communicator: a group of GPUs, each with a rank, that make collectives and exchange messages. NCCL
/// allows one rank a GPU.
///
///     auto communicator = nccl::Communicator::from_environment();       // one process per GPU
///     Stream stream(communicator.device());
///     auto gradients = communicator.device().allocate<float>(stream, n);
///     communicator.all_reduce(stream, gradients);
///     communicator.wait(stream, std::chrono::seconds(30));              // throws if a rank has ended
///
/// All ranks must make the same collectives, with equal counts and types, in the same order. NCCL does not compare them: if ranks
/// disagree, results are wrong, or the work never ends, which wait() reports after its timeout. Operations are submitted to the
/// stream, which must be of the communicator's device, and run in its order; all views are of memory that this device can access,
/// and must outlive the work. Streams and buffers of another device throw std::invalid_argument, but not those of other code,
/// whose device is unknown. Counts are elements of one rank, from 0 to the address space. A stream may be capturing: the work
/// then becomes part of the graph, which retains buffers and must be destroyed before the communicator.
///
/// Failures throw CommunicationError with the operation, the rank and NCCL's last error. One thread at a time may use the object.
/// An object that is created in a Group, as a thread must do for several ranks, is closed until the group has ended.
/// Movable, not copyable. The destructor waits for submitted work (ncclCommDestroy). It does not wait, but aborts the
/// communicator, if an operation has failed, or while an exception passes, because ranks may be missing then (ncclCommAbort).
/// Failures of the destructor are reported to the cleanup handler.
class [[nodiscard]] CUBIND_EXPORT Communicator {
public:
    // ---- creation --------------------------------------------------------------------------------------------------------

    /// Creates an object without a communicator, which can be assigned.
    Communicator() noexcept = default;
    /// Creates the ranks of one process: rank i is on the i-th device. A thread that calls several of them must do so in a Group.
    /// Throws std::invalid_argument for no device and for a device that occurs twice (ncclCommInitAll).
    [[nodiscard]] static std::vector<Communicator> init_all(std::span<const Device> devices);
    /// Creates rank `rank` of `size` on the device. Waits for the other ranks unless config.blocking is false. Throws
    /// std::invalid_argument for a rank outside of 0 to size - 1 (ncclCommInitRankConfig).
    [[nodiscard]] static Communicator init(Device device, int size, int rank, const UniqueId& id,
                                           const CommunicatorConfig& config = {});
    /// Creates a rank with several ids, each of another rank, so that thousands of ranks connect faster. Throws
    /// std::invalid_argument for no id (ncclCommInitRankScalable, since NCCL 2.23).
    [[nodiscard]] static Communicator init(Device device, int size, int rank, std::span<const UniqueId> ids,
                                           const CommunicatorConfig& config = {});
    /// Creates the rank of this process on bootstrap.device(), after an exchange of the id.
    [[nodiscard]] static Communicator init(const Bootstrap& bootstrap, const CommunicatorConfig& config = {});
    /// Creates the rank of this process by Bootstrap::from_environment().
    [[nodiscard]] static Communicator from_environment(const CommunicatorConfig& config = {});
    /// Takes ownership of a communicator that was created elsewhere. If this throws, the caller still owns it (ncclCommCuDevice,
    /// ncclCommUserRank, ncclCommCount).
    [[nodiscard]] static Communicator from_native_handle(ncclComm_t handle);

    /// Takes the communicator of the other object, which is closed then.
    Communicator(Communicator&& other) noexcept = default;
    /// Ends the own communicator as the destructor does, and takes that of the other object.
    Communicator& operator=(Communicator&& other) noexcept;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;
    ~Communicator() { reset(); }

    /// Divides the ranks by `color`: those with equal colors, which are not negative, form a communicator, ordered by `key`, then
    /// by rank. All ranks must call it. Returns a closed object for a rank without color (ncclCommSplit, since NCCL 2.18).
    [[nodiscard]] Communicator split(std::optional<int> color, int key = 0, const CommunicatorConfig& config = {});
    /// Whether shrink() waits for operations of the parent, or aborts them, because a rank has failed.
    enum class Shrink { after_operations = 0, aborting_operations = 1 };
    /// Creates a communicator without the excluded ranks, which do not call it; all others must. Throws std::invalid_argument for
    /// ranks that do not exist and for the own one (ncclCommShrink, since NCCL 2.27).
    [[nodiscard]] Communicator shrink(std::span<const int> excluded_ranks, Shrink mode = Shrink::after_operations,
                                      const CommunicatorConfig& config = {});
    /// Creates an id for grow(). One rank does so, and passes it to the new ranks (ncclCommGetUniqueId, since NCCL 2.29).
    [[nodiscard]] UniqueId grow_id();
    /// Creates a communicator of `size` ranks, of which those of this one keep their numbers. All of them must call it, the one
    /// that has created the id with it, and the new ranks must call join() (ncclCommGrow, since NCCL 2.29).
    [[nodiscard]] Communicator grow(int size, const std::optional<UniqueId>& id = std::nullopt,
                                    const CommunicatorConfig& config = {});
    /// Creates a new rank of a communicator that grows (ncclCommGrow).
    [[nodiscard]] static Communicator join(Device device, int size, int rank, const UniqueId& id,
                                           const CommunicatorConfig& config = {});

    // ---- properties ------------------------------------------------------------------------------------------------------

    /// Returns the own rank (ncclCommUserRank).
    [[nodiscard]] int rank() const;
    /// Returns the number of ranks (ncclCommCount).
    [[nodiscard]] int size() const;
    /// Returns the device of this rank.
    [[nodiscard]] Device device() const;
    /// Returns the state of submitted work: ncclSuccess, ncclInProgress, or an error. wait() asks for it, too
    /// (ncclCommGetAsyncError).
    [[nodiscard]] ncclResult_t status() const;
    /// Returns what NCCL has stored about its last error; empty if it has stored nothing (ncclGetLastError).
    [[nodiscard]] std::string last_error() const;
    /// Returns a number of bytes of the communicator's device memory (ncclCommMemStats, since NCCL 2.29).
    [[nodiscard]] std::uint64_t memory_stat(ncclCommMemStat_t stat) const;
    /// Returns the native handle. Throws std::invalid_argument if the object is closed, as all operations do.
    [[nodiscard]] ncclComm_t native_handle() const;
    /// Returns whether the object was closed, aborted, released or moved from.
    [[nodiscard]] bool is_closed() const noexcept;

    // ---- collectives -----------------------------------------------------------------------------------------------------

    /// Reduces the source elements of all ranks, element by element, to the destination of each rank (ncclAllReduce). Throws
    /// std::invalid_argument if the counts differ; so do the other collectives.
    template <detail::Source From, detail::Destination To>
    requires detail::Matching<From, To>
    void all_reduce(StreamRef stream, From&& source, To&& destination, const Reduction& op = sum,
                    const CollectiveConfig& config = {}) {
        submit_all_reduce(stream, elements(source), elements(destination), op, config);
    }
    /// Reduces in place.
    template <detail::Destination Both>
    void all_reduce(StreamRef stream, Both&& data, const Reduction& op = sum, const CollectiveConfig& config = {}) {
        submit_all_reduce(stream, elements(data), elements(data), op, config);
    }
    /// Reduces to the destination of the rank `root`; those of other ranks are not used and may be empty (ncclReduce).
    template <detail::Source From, detail::Destination To>
    requires detail::Matching<From, To>
    void reduce(StreamRef stream, From&& source, To&& destination, int root, const Reduction& op = sum,
                const CollectiveConfig& config = {}) {
        submit_reduce(stream, elements(source), elements(destination), root, op, config);
    }
    /// Reduces in place of `root`.
    template <detail::Destination Both>
    void reduce(StreamRef stream, Both&& data, int root, const Reduction& op = sum, const CollectiveConfig& config = {}) {
        submit_reduce(stream, elements(data), elements(data), root, op, config);
    }
    /// Copies the elements of the rank `root` to all others (ncclBroadcast).
    template <detail::Destination Both>
    void broadcast(StreamRef stream, Both&& data, int root, const CollectiveConfig& config = {}) {
        submit_broadcast(stream, elements(data), root, config);
    }
    /// Gathers the source elements of all ranks, in order of the ranks, in the destination of each: size() times as many
    /// (ncclAllGather).
    template <detail::Source From, detail::Destination To>
    requires detail::Matching<From, To>
    void all_gather(StreamRef stream, From&& source, To&& destination, const CollectiveConfig& config = {}) {
        submit_all_gather(stream, elements(source), elements(destination), config);
    }
    /// Gathers in place: the own elements are the rank()-th part of the data.
    template <detail::Destination Both>
    void all_gather(StreamRef stream, Both&& data, const CollectiveConfig& config = {}) {
        submit_all_gather(stream, own_part("all_gather", elements(data)), elements(data), config);
    }
    /// Reduces the source elements, and leaves each rank the part of its number: a size()-th of them (ncclReduceScatter).
    template <detail::Source From, detail::Destination To>
    requires detail::Matching<From, To>
    void reduce_scatter(StreamRef stream, From&& source, To&& destination, const Reduction& op = sum,
                        const CollectiveConfig& config = {}) {
        submit_reduce_scatter(stream, elements(source), elements(destination), op, config);
    }
    /// Reduces in place: the result is in the rank()-th part of the data.
    template <detail::Destination Both>
    void reduce_scatter(StreamRef stream, Both&& data, const Reduction& op = sum, const CollectiveConfig& config = {}) {
        submit_reduce_scatter(stream, elements(data), own_part("reduce_scatter", elements(data)), op, config);
    }
    /// Sends the i-th of size() parts to rank i, and receives the part of rank i as the i-th (ncclAlltoAll, since NCCL 2.28). The
    /// memory must not overlap.
    template <detail::Source From, detail::Destination To>
    requires detail::Matching<From, To>
    void all_to_all(StreamRef stream, From&& source, To&& destination, const CollectiveConfig& config = {}) {
        submit_all_to_all(stream, elements(source), elements(destination), config);
    }
    /// Gathers the source elements of all ranks in the destination of the rank `root`: size() times as many. Those of other ranks
    /// are not used and may be empty (ncclGather, since NCCL 2.28).
    template <detail::Source From, detail::Destination To>
    requires detail::Matching<From, To>
    void gather(StreamRef stream, From&& source, To&& destination, int root, const CollectiveConfig& config = {}) {
        submit_gather(stream, elements(source), elements(destination), root, config);
    }
    /// Copies the i-th of size() parts of the source of the rank `root` to rank i. Sources of other ranks are not used and may be
    /// empty (ncclScatter, since NCCL 2.28).
    template <detail::Source From, detail::Destination To>
    requires detail::Matching<From, To>
    void scatter(StreamRef stream, From&& source, To&& destination, int root, const CollectiveConfig& config = {}) {
        submit_scatter(stream, elements(source), elements(destination), root, config);
    }

    // ---- messages --------------------------------------------------------------------------------------------------------

    /// Sends elements to the rank `peer`, which must receive as many of the same type. Use a Group for messages in both
    /// directions (ncclSend).
    template <detail::Source From>
    void send(StreamRef stream, From&& source, int peer) {
        submit_send(stream, elements(source), peer);
    }
    /// Receives elements from the rank `peer` (ncclRecv).
    template <detail::Destination To>
    void receive(StreamRef stream, To&& destination, int peer) {
        submit_receive(stream, elements(destination), peer);
    }
    /// Writes elements to the memory that the rank `peer` has registered in the window, from `offset` bytes on, and then
    /// increments the signal of that rank, which makes no call for it. Throws std::invalid_argument for a window of another
    /// communicator, and if the elements exceed it (ncclPutSignal, since NCCL 2.29).
    template <detail::Source From>
    void put_signal(StreamRef stream, From&& source, int peer, const Window& window, std::size_t offset = 0, Signal signal = {}) {
        submit_put(stream, elements(source), peer, window, offset, signal);
    }
    /// Increments the signal of the rank `peer`, after earlier put_signal() to it (ncclSignal, since NCCL 2.29).
    void signal(StreamRef stream, int peer, Signal signal = {});
    /// Makes the stream wait until each of the ranks has sent its signals, which wait() also ends if it does not. The writes of
    /// their put_signal() are complete then. Throws std::invalid_argument for no rank and for a count below 1 (ncclWaitSignal,
    /// since NCCL 2.29).
    void wait_signal(StreamRef stream, std::span<const SignalWait> waits);
    /// Makes the stream wait for signals of one rank.
    void wait_signal(StreamRef stream, const SignalWait& wait) { wait_signal(stream, std::span(&wait, 1)); }

    // ---- waiting and failures --------------------------------------------------------------------------------------------

    /// Waits for the work of the stream, and for failures of other ranks. If NCCL reports an error, the stream's work has failed,
    /// or the timeout has passed, aborts the communicator, which is closed then, and throws CommunicationError, or the Error of
    /// the stream. A timeout of 0 polls once; StreamRef::is_done() polls without aborting. A new communicator can be created
    /// afterwards. Throws std::invalid_argument for a negative timeout and for a stream that is capturing (cuStreamQuery,
    /// ncclCommGetAsyncError).
    void wait(StreamRef stream, std::chrono::milliseconds timeout);
    /// Waits until the last call has taken effect, if config.blocking is false, in the same way.
    void wait_until_ready(std::chrono::milliseconds timeout);
    /// Waits until NCCL has completed the submitted operations, before close() of all ranks (ncclCommFinalize).
    void finalize();
    /// Ends operations that run, on this rank, and closes the object without waiting for other ranks (ncclCommAbort).
    void abort();
    /// Stops operations that run. The communicator can then only be shrunk, split and closed (ncclCommRevoke, since NCCL 2.28).
    void revoke();
    /// Frees device memory that the communicator does not need until resume() (ncclCommSuspend, since NCCL 2.29).
    void suspend();
    /// Allocates the memory again (ncclCommResume).
    void resume();
    /// Waits for submitted work and closes the object (ncclCommDestroy). Closing again does nothing.
    void close();
    /// Gives up ownership and returns the handle, which the caller must destroy, or null if the object is closed.
    [[nodiscard]] ncclComm_t release() noexcept;

private:
    friend class ReductionOperator;
    friend class detail::Registration;

    explicit Communicator(std::shared_ptr<detail::CommunicatorState> state) noexcept : state_(std::move(state)) {}
    template <class Operand>
    static detail::Elements elements(Operand& operand) {
        return detail::elements_of(operand);
    }
    detail::CommunicatorState& state() const;
    detail::Elements own_part(const char* operation, const detail::Elements& all) const;
    ncclRedOp_t operator_of(const Reduction& op, const detail::Elements& data) const;
    using Data = const detail::Elements&;
    void submit_all_reduce(StreamRef, Data source, Data destination, const Reduction&, const CollectiveConfig&);
    void submit_reduce(StreamRef, Data source, Data destination, int root, const Reduction&, const CollectiveConfig&);
    void submit_broadcast(StreamRef, Data data, int root, const CollectiveConfig&);
    void submit_all_gather(StreamRef, Data source, Data destination, const CollectiveConfig&);
    void submit_reduce_scatter(StreamRef, Data source, Data destination, const Reduction&, const CollectiveConfig&);
    void submit_all_to_all(StreamRef, Data source, Data destination, const CollectiveConfig&);
    void submit_gather(StreamRef, Data source, Data destination, int root, const CollectiveConfig&);
    void submit_scatter(StreamRef, Data source, Data destination, int root, const CollectiveConfig&);
    void submit_send(StreamRef, Data source, int peer);
    void submit_receive(StreamRef, Data destination, int peer);
    void submit_put(StreamRef, Data source, int peer, const Window&, std::size_t offset, Signal);
    void reset() noexcept;

    std::shared_ptr<detail::CommunicatorState> state_;
};

}  // namespace CUBIND_NAMESPACE::nccl

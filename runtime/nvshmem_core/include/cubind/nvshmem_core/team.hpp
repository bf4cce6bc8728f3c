// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/stream.hpp>
#include <cubind/nvshmem/types.hpp>
#include <cubind/nvshmem_core/detail/operand.hpp>
#include <cubind/nvshmem_core/reduction.hpp>

#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace CUBIND_NAMESPACE::nvshmem {

class Session;

namespace detail {
struct SessionState;
}

/// PEs that make collectives together, numbered from 0 in the team. Session::world() has all of them.
///
///     const nvshmem::Team& world = session.world();
///     world.all_reduce(stream, sums, parts, nvshmem::sum);
///     nvshmem::Team even = world.split_strided(0, 2, (world.n_pes() + 1) / 2);
///
/// All PEs of the team must make the same collectives, with equal counts and types, in the same order. Operands are memory of the
/// symmetric heap: buffers of a SymmetricMemoryResource, or parts of them. Counts are elements, from 0 to the address space; a
/// count of 0 does nothing. Operations on a stream are submitted, and run in its order; it must be of the session's device, and
/// the operands must outlive the work. They order the work of the PEs: when a collective ends on a stream, the stream's PE has
/// its results, but others may still wait for theirs. A stream may be capturing; the operands must then outlive the graph.
///
/// Collectives of a team must not overlap, or they may take each other's arrivals for their own: submit those of a team to one
/// stream, and wait for it before a collective of the host, such as barrier() or the creation of a team. An allocation from the
/// symmetric heap waits for its stream itself.
///
/// Failures throw CommunicationError; counts that do not match, and memory outside of the heap, std::invalid_argument with the
/// values, before NVSHMEM is called. One thread at a time may use NVSHMEM. Movable, not copyable. A team that was split off
/// retains the session, and its PEs must destroy it together.
class [[nodiscard]] CUBIND_EXPORT Team {
public:
    // ---- creation and properties -----------------------------------------------------------------------------------------

    /// Creates an object without a team, which can be assigned.
    Team() noexcept = default;
    /// Takes the team of the other object, which is closed then.
    Team(Team&& other) noexcept;
    /// Destroys the own team as the destructor does, and takes that of the other object.
    Team& operator=(Team&& other) noexcept;
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    ~Team() { reset(); }

    /// Creates a team of `n_pes` PEs of this one: `first`, `first + stride`, and so on. All PEs of this team must call it; those
    /// outside of the new one get a closed object (nvshmem_team_split_strided). Throws std::invalid_argument for PEs that do not
    /// exist.
    [[nodiscard]] Team split_strided(int first, int stride, int n_pes) const;
    /// The teams of a grid: the PEs of the own row, and those of the own column.
    struct Grid;
    /// Divides the PEs of this team, in their order, into rows of `row_length`, of which the last may be shorter. All PEs must
    /// call it (nvshmem_team_split_2d). Throws std::invalid_argument for a length below 1.
    [[nodiscard]] Grid split_2d(int row_length) const;

    /// Returns the number of this PE in the team.
    [[nodiscard]] int my_pe() const;
    /// Returns the number of PEs of the team.
    [[nodiscard]] int n_pes() const;
    /// Returns the number in `other` of a PE of this team; nothing if `other` does not have it (nvshmem_team_translate_pe).
    /// Throws std::invalid_argument for a PE that this team does not have.
    [[nodiscard]] std::optional<int> translate(int pe, const Team& other) const;
    /// Returns the native handle, also for kernels. Throws std::invalid_argument if the object is closed, as all operations do.
    [[nodiscard]] nvshmem_team_t native_handle() const;
    /// Returns whether the object has no team.
    [[nodiscard]] bool is_closed() const noexcept { return session_ == nullptr; }
    /// Destroys a team that was split off (nvshmem_team_destroy). Closing again does nothing.
    void close();

    // ---- collectives -----------------------------------------------------------------------------------------------------

    /// Combines the source elements of all PEs, element by element, in the destination of each. Both may be the same memory, but
    /// may not overlap otherwise (nvshmemx_TYPE_OP_reduce_on_stream).
    template <detail::Destination To, detail::Source From, ReductionKind kind = ReductionKind::sum>
    requires detail::Matching<From, To>
    void all_reduce(StreamRef stream, To&& destination, From&& source, Reduction<kind> op = {}) const {
        submit_all_reduce(stream, detail::operand_of(destination), detail::operand_of(source), kind,
                          op.template element_type<detail::ElementOf<To>>());
    }
    /// Combines in place.
    template <detail::Destination Both, ReductionKind kind = ReductionKind::sum>
    void all_reduce(StreamRef stream, Both&& data, Reduction<kind> op = {}) const {
        all_reduce(stream, data, data, op);
    }
    /// Combines the source elements of all PEs and gives each PE its part: the source has n_pes() times as many elements as the
    /// destination (nvshmemx_TYPE_OP_reducescatter_on_stream).
    template <detail::Destination To, detail::Source From, ReductionKind kind = ReductionKind::sum>
    requires detail::Matching<From, To>
    void reduce_scatter(StreamRef stream, To&& destination, From&& source, Reduction<kind> op = {}) const {
        submit_reduce_scatter(stream, detail::operand_of(destination), detail::operand_of(source), kind,
                              op.template element_type<detail::ElementOf<To>>());
    }
    /// Gathers the source elements of all PEs, in order of the PEs, in the destination of each: n_pes() times as many
    /// (nvshmemx_TYPE_fcollect_on_stream).
    template <detail::Destination To, detail::Source From>
    requires detail::Matching<From, To>
    void all_gather(StreamRef stream, To&& destination, From&& source) const {
        submit_all_gather(stream, detail::operand_of(destination), detail::operand_of(source));
    }
    /// Copies the source elements of the PE `root` to the destination of all PEs, also of the root
    /// (nvshmemx_TYPE_broadcast_on_stream).
    template <detail::Destination To, detail::Source From>
    requires detail::Matching<From, To>
    void broadcast(StreamRef stream, To&& destination, From&& source, int root) const {
        submit_broadcast(stream, detail::operand_of(destination), detail::operand_of(source), root);
    }
    /// Sends the i-th of n_pes() parts of the source to the PE i, and receives the i-th part of the destination from it
    /// (nvshmemx_TYPE_alltoall_on_stream).
    template <detail::Destination To, detail::Source From>
    requires detail::Matching<From, To>
    void all_to_all(StreamRef stream, To&& destination, From&& source) const {
        submit_all_to_all(stream, detail::operand_of(destination), detail::operand_of(source));
    }

    // ---- synchronization -------------------------------------------------------------------------------------------------

    /// Makes the stream wait until the streams of all PEs have reached the barrier and the transfers that they submitted before
    /// have arrived (nvshmemx_barrier_on_stream).
    void barrier(StreamRef stream) const;
    /// Waits until all PEs have called it and the transfers of their threads have arrived, but not for streams (nvshmem_barrier).
    void barrier() const;
    /// Makes the stream wait until the streams of all PEs have reached this point; transfers may still be on their way
    /// (nvshmemx_team_sync_on_stream).
    void sync(StreamRef stream) const;
    /// Waits until all PEs have called it (nvshmem_team_sync).
    void sync() const;

    /// Returns the elements at the address by which the device reaches the memory of all PEs of the team at once, for kernels;
    /// nothing where the devices or the settings do not allow it, such as NVSHMEM_DISABLE_NVLS=1 (nvshmemx_mc_ptr).
    template <class Element>
    [[nodiscard]] std::optional<std::span<Element>> multicast(std::span<Element> elements) const {
        void* const address = multicast_address(detail::operand_of(elements));
        if (address == nullptr) return std::nullopt;
        return std::span<Element>(static_cast<Element*>(address), elements.size());
    }

private:
    friend class Session;

    // A team that exists as long as the session.
    Team(std::shared_ptr<detail::SessionState> session, nvshmem_team_t handle);
    Team split(const char* operation, nvshmem_team_t handle) const;
    detail::SessionState& state() const;
    void check_pe(const char* operation, const char* what, int pe) const;
    void submit_all_reduce(StreamRef, const detail::Operand& destination, const detail::Operand& source, ReductionKind,
                           ElementType) const;
    void submit_reduce_scatter(StreamRef, const detail::Operand& destination, const detail::Operand& source, ReductionKind,
                               ElementType) const;
    void submit_all_gather(StreamRef, const detail::Operand& destination, const detail::Operand& source) const;
    void submit_broadcast(StreamRef, const detail::Operand& destination, const detail::Operand& source, int root) const;
    void submit_all_to_all(StreamRef, const detail::Operand& destination, const detail::Operand& source) const;
    void* multicast_address(const detail::Operand& elements) const;
    void reset() noexcept;

    std::shared_ptr<detail::SessionState> session_;
    nvshmem_team_t handle_ = -1;
    int pe_ = -1;
    int size_ = 0;
    bool is_own_ = false;
};

/// The teams of a grid.
struct Team::Grid {
    Team row;     ///< the PEs of the own row
    Team column;  ///< the PEs of the own column
};

}  // namespace CUBIND_NAMESPACE::nvshmem

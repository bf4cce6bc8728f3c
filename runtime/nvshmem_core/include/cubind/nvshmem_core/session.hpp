// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/bootstrap.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/nvshmem/types.hpp>
#include <cubind/nvshmem_core/detail/operand.hpp>
#include <cubind/nvshmem_core/team.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace CUBIND_NAMESPACE::nvshmem {

class LinkedCode;
class SymmetricMemoryResource;

namespace detail {
class Registration;
struct AtomicCall;
}  // namespace detail

/// How a signal changes its variable. NVSHMEM's numbers.
enum class SignalOperation : int { set = 9, add = 10 };

/// How a wait compares the variable with its value.
enum class Comparison : int {
    equal = NVSHMEM_CMP_EQ,
    not_equal = NVSHMEM_CMP_NE,
    greater = NVSHMEM_CMP_GT,
    less_or_equal = NVSHMEM_CMP_LE,
    less = NVSHMEM_CMP_LT,
    greater_or_equal = NVSHMEM_CMP_GE
};

/// The distances of strided elements, in elements; 1 if they are contiguous.
struct Strides {
    std::ptrdiff_t destination = 1;  ///< of the destination
    std::ptrdiff_t source = 1;       ///< of the source
};

/// The use of NVSHMEM by this process, which is one of several processing elements (PEs), each with a GPU of its own.
///
///     auto session = nvshmem::Session::from_environment();         // one process per GPU
///     Stream stream(session.device());
///     const nvshmem::SymmetricMemoryResource memory(session);
///     auto inbox = memory.allocate<float>(stream, n);              // on all PEs
///     session.put(stream, inbox, data, (session.my_pe() + 1) % session.n_pes());
///     session.world().barrier(stream);                             // all inboxes are filled
///
/// A process has one session at a time. Transfers are submitted to the stream, which must be of the session's device, and run in
/// its order. The remote side of a transfer is memory of the symmetric heap, named by its address on this PE; the local side is
/// any memory of the device, see RegisteredMemory. Both must outlive the work. Counts are elements, from 0 to the address space.
/// A stream may be capturing: the work becomes part of the graph. Buffers of the heap must outlive the graph, which does not
/// retain them, because freeing them waits for the other PEs; it retains other buffers.
///
/// Mistakes that can be found on this PE throw std::invalid_argument: views of different counts, memory outside of the heap, PEs
/// that do not exist. Failures of NVSHMEM throw CommunicationError, or end the process where NVSHMEM does so. Each function makes
/// the context of the session's device current for the call, if another is.
///
/// Buffers, teams, registrations and linked code retain the session: it ends with the last of these objects, and the end waits
/// for the other PEs (nvshmemx_hostlib_finalize). While an exception passes that was thrown after the session began, it is not
/// ended, because other PEs may be missing; this is reported to the cleanup handler. One thread at a time may use NVSHMEM.
/// Movable, not copyable.
class [[nodiscard]] CUBIND_EXPORT Session {
public:
    // ---- creation --------------------------------------------------------------------------------------------------------

    /// Creates an object without a session, which can be assigned.
    Session() noexcept = default;
    /// Creates the id by which the PEs of a new session find each other. One PE does so and passes it to the others; Bootstrap
    /// does both (nvshmemx_get_uniqueid).
    [[nodiscard]] static Bootstrap::Id create_id();
    /// Begins as PE `pe` of `n_pes` on the device, and waits for the others (nvshmemx_hostlib_init_attr). Throws
    /// CommunicationError, also for a release of NVSHMEM other than 3.4 to 3.x; and std::invalid_argument for a PE outside of 0
    /// to n_pes - 1, and if this process uses NVSHMEM already.
    [[nodiscard]] static Session init(Device device, int n_pes, int pe, const Bootstrap::Id& id);
    /// Begins on bootstrap.device(), after an exchange of the id. The rank is the number of the PE.
    [[nodiscard]] static Session init(const Bootstrap& bootstrap);
    /// Begins by Bootstrap::from_environment().
    [[nodiscard]] static Session from_environment();
    /// Begins with the processes of a communicator of MPI, which the program has initialized: `communicator` points to an
    /// MPI_Comm. NVSHMEM loads its part for MPI, of the MPI that it was built for; NVSHMEM_BOOTSTRAP_MPI_PLUGIN names another.
    [[nodiscard]] static Session from_mpi(Device device, void* communicator);

    /// Takes the session of the other object, which is closed then.
    Session(Session&& other) noexcept = default;
    /// Ends the own session as the destructor does, and takes that of the other object.
    Session& operator=(Session&& other) noexcept;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session() = default;

    /// Ends the session, together with the other PEs (nvshmemx_hostlib_finalize). Throws std::invalid_argument, which counts
    /// them, if buffers, teams, registrations or linked code exist. Closing again does nothing.
    void close();

    // ---- properties ------------------------------------------------------------------------------------------------------

    /// Returns the number of this PE, from 0 on.
    [[nodiscard]] int my_pe() const { return world().my_pe(); }
    /// Returns the number of PEs.
    [[nodiscard]] int n_pes() const { return world().n_pes(); }
    /// Returns the device of this PE.
    [[nodiscard]] Device device() const;
    /// Returns whether the object has no session.
    [[nodiscard]] bool is_closed() const noexcept { return world_.is_closed(); }
    /// Returns the team of all PEs. Throws std::invalid_argument if the object is closed, as all functions do.
    [[nodiscard]] const Team& world() const&;
    /// Deleted: the team of a temporary object ends with it.
    const Team& world() const&& = delete;
    /// Returns the team of the PEs whose memory this device can read and write (NVSHMEM_TEAM_SHARED).
    [[nodiscard]] Team shared() const;
    /// Returns the team of the PEs of this host (NVSHMEMX_TEAM_NODE).
    [[nodiscard]] Team node() const;

    /// Returns the elements of another PE at an address of this PE; nothing if the device cannot read and write them, as on
    /// another host (nvshmem_ptr). The result lives as long as the memory.
    template <class Element>
    [[nodiscard]] std::optional<std::span<Element>> peer(std::span<Element> elements, int pe) const {
        void* const address = peer_address("peer", detail::operand_of(elements), pe);
        if (address == nullptr) return std::nullopt;
        return std::span<Element>(static_cast<Element*>(address), elements.size());
    }
    /// Returns the elements of the same buffer of another PE.
    template <class Element>
    [[nodiscard]] std::optional<std::span<Element>> peer(TypedBuffer<Element>& buffer, int pe) const {
        return peer(buffer.span(), pe);
    }

    // ---- transfers -------------------------------------------------------------------------------------------------------

    /// Whether the stream waits for the transfer. Otherwise it runs beside the stream: the local side may be used, and the remote
    /// side is complete, after quiet(stream) or a barrier.
    enum class Mode { in_order, beside };

    /// Copies elements of this PE to the memory of the PE `pe` (nvshmemx_putmem_on_stream, nvshmemx_putmem_nbi_on_stream). The
    /// other PE sees them after a barrier, or after a signal that was sent with or after them.
    template <detail::Destination To, detail::Source From>
    requires detail::Matching<From, To>
    void put(StreamRef stream, To&& destination, From&& source, int pe, Mode mode = Mode::in_order) const {
        submit_put(stream, detail::operand_of(destination), detail::operand_of(source), pe, mode);
    }
    /// Copies elements of the PE `pe` to memory of this PE (nvshmemx_getmem_on_stream, nvshmemx_getmem_nbi_on_stream).
    template <detail::Destination To, detail::Source From>
    requires detail::Matching<From, To>
    void get(StreamRef stream, To&& destination, From&& source, int pe, Mode mode = Mode::in_order) const {
        submit_get(stream, detail::operand_of(destination), detail::operand_of(source), pe, mode);
    }
    /// Copies `count` elements that are `strides` apart, in views that span them all (nvshmemx_iputSIZE_on_stream). The elements
    /// have 1, 2, 4, 8 or 16 bytes. Throws std::invalid_argument also for strides below 1 or of 2 GiB and more, and for a PE
    /// whose memory the device cannot write, for which NVSHMEM has no such transfer.
    template <detail::Destination To, detail::Source From>
    requires detail::Matching<From, To>
    void put(StreamRef stream, To&& destination, From&& source, std::size_t count, Strides strides, int pe) const {
        check_strided<detail::ElementOf<To>>();
        submit_strided_put(stream, detail::operand_of(destination), detail::operand_of(source), count, strides, pe);
    }
    /// Does the same from the PE `pe` to this one (nvshmemx_igetSIZE_on_stream).
    template <detail::Destination To, detail::Source From>
    requires detail::Matching<From, To>
    void get(StreamRef stream, To&& destination, From&& source, std::size_t count, Strides strides, int pe) const {
        check_strided<detail::ElementOf<To>>();
        submit_strided_get(stream, detail::operand_of(destination), detail::operand_of(source), count, strides, pe);
    }

    // ---- signals ---------------------------------------------------------------------------------------------------------

    /// Copies elements like put(), and then changes the signal, one element of the heap, of the same PE: who sees the new value
    /// sees the elements (nvshmemx_putmem_signal_on_stream, nvshmemx_putmem_signal_nbi_on_stream).
    template <detail::Destination To, detail::Source From, detail::DestinationOf<std::uint64_t> Signal>
    requires detail::Matching<From, To>
    void put_signal(StreamRef stream, To&& destination, From&& source, Signal&& signal, std::uint64_t value, SignalOperation op,
                    int pe, Mode mode = Mode::in_order) const {
        submit_put_signal(stream, detail::operand_of(destination), detail::operand_of(source), detail::operand_of(signal), value,
                          op, pe, mode);
    }
    /// Changes the signal of another PE (nvshmemx_signal_op_on_stream).
    template <detail::DestinationOf<std::uint64_t> Signal>
    void signal(StreamRef stream, Signal&& signal, std::uint64_t value, SignalOperation op, int pe) const {
        submit_signal(stream, "signal", detail::operand_of(signal), value, op, pe);
    }
    /// Makes the stream wait until the comparison of the own signal with the value holds (nvshmemx_signal_wait_until_on_stream).
    /// If no PE changes the signal, the stream waits forever.
    template <detail::DestinationOf<std::uint64_t> Signal>
    void wait_signal(StreamRef stream, Signal&& signal, Comparison comparison, std::uint64_t value) const {
        submit_wait_signal(stream, detail::operand_of(signal), comparison, value);
    }
    /// Makes the stream wait until the comparison of an own element of the heap with the value holds: an integer of 4 or 8 bytes
    /// (nvshmemx_TYPE_wait_until_on_stream).
    template <detail::Destination Variable>
    void wait_until(StreamRef stream, Variable&& variable, Comparison comparison,
                    std::type_identity_t<detail::ElementOf<Variable>> value) const {
        constexpr ElementType type = detail::data_type_of<detail::ElementOf<Variable>>();
        static_assert(detail::is_integer(type) && detail::size_of(type) >= 4, "NVSHMEM waits for integers of 4 or 8 bytes only");
        submit_wait_until(stream, detail::operand_of(variable), type, comparison, static_cast<std::uint64_t>(value));
    }

    // ---- order -----------------------------------------------------------------------------------------------------------

    /// Makes the stream wait until its transfers have arrived, those beside it, too (nvshmemx_quiet_on_stream).
    void quiet(StreamRef stream) const;
    /// Waits until the transfers of this PE, other than those of streams, have arrived (nvshmem_quiet).
    void quiet() const;
    /// Orders the transfers of this PE, other than those of streams: those before it arrive at each PE before those after it
    /// (nvshmem_fence). A stream has no such function; quiet(stream) implies it.
    void fence() const;
    /// Makes the stream wait until the local sides of its transfers may be used (nvshmemx_flush_on_stream, since NVSHMEM 3.7).
    void flush(StreamRef stream) const;

private:
    friend class LinkedCode;
    friend class SymmetricMemoryResource;
    friend class detail::Registration;
    friend struct detail::AtomicCall;

    explicit Session(std::shared_ptr<detail::SessionState> state);
    template <class Element>
    static constexpr void check_strided() {
        constexpr std::size_t size = sizeof(Element);
        static_assert(size <= 16 && (size & (size - 1)) == 0, "NVSHMEM has strided transfers of 1, 2, 4, 8 and 16 bytes only");
    }
    detail::SessionState& state() const { return world().state(); }
    const std::shared_ptr<detail::SessionState>& shared_state() const;
    void* peer_address(const char* operation, const detail::Operand& elements, int pe) const;
    void submit_put(StreamRef, const detail::Operand& destination, const detail::Operand& source, int pe, Mode) const;
    void submit_get(StreamRef, const detail::Operand& destination, const detail::Operand& source, int pe, Mode) const;
    void submit_strided_put(StreamRef, const detail::Operand& destination, const detail::Operand& source, std::size_t count,
                            Strides, int pe) const;
    void submit_strided_get(StreamRef, const detail::Operand& destination, const detail::Operand& source, std::size_t count,
                            Strides, int pe) const;
    void submit_put_signal(StreamRef, const detail::Operand& destination, const detail::Operand& source,
                           const detail::Operand& signal, std::uint64_t value, SignalOperation, int pe, Mode) const;
    void submit_signal(StreamRef, const char* operation, const detail::Operand& signal, std::uint64_t value, SignalOperation,
                       int pe) const;
    void submit_wait_signal(StreamRef, const detail::Operand& signal, Comparison, std::uint64_t value) const;
    void submit_wait_until(StreamRef, const detail::Operand& variable, ElementType, Comparison, std::uint64_t value) const;

    Team world_;  // retains the state
};

}  // namespace CUBIND_NAMESPACE::nvshmem

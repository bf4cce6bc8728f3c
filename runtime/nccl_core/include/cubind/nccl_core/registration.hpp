// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nccl/constants.hpp>
#include <cubind/nccl_core/detail/elements.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace CUBIND_NAMESPACE::nccl {

class Communicator;

namespace detail {
struct CommunicatorState;

/// The ownership of a registration. After the communicator has ended, nothing is left to release.
class CUBIND_EXPORT Registration {
public:
    Registration(Registration&& other) noexcept = default;
    Registration& operator=(Registration&& other) noexcept;
    ~Registration() { reset(); }

    /// Returns the number of registered bytes.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    [[nodiscard]] void* handle() const;
    void close();

protected:
    enum class Kind { buffer, window };
    Registration(Kind kind, Communicator& communicator, const Elements& memory, int window_flags);

private:
    friend class nccl::Communicator;
    void reset() noexcept;

    std::shared_ptr<CommunicatorState> communicator_;
    std::unique_ptr<void*> handle_;  // NCCL writes it when the group of the call ends
    std::size_t size_ = 0;
    Kind kind_;
};

}  // namespace detail

/// Registers memory with one communicator, so that its operations can transfer without copies to internal buffers. Operations
/// find the registration by the address. Operations with memory that was never registered work, too. The memory must outlive the
/// registration. Movable, not copyable; destroy it while no operation uses the memory.
class [[nodiscard]] CUBIND_EXPORT RegisteredBuffer : public detail::Registration {
public:
    /// Registers the memory with this rank only (ncclCommRegister, since NCCL 2.19). Throws CommunicationError, and
    /// std::invalid_argument for memory of 0 bytes.
    template <detail::Source Memory>
    RegisteredBuffer(Communicator& communicator, Memory&& memory)
        : Registration(Kind::buffer, communicator, detail::elements_of(std::forward<Memory>(memory)), 0) {}

    /// Returns the native handle. Throws std::invalid_argument after close().
    [[nodiscard]] void* native_handle() const { return handle(); }
    /// Ends the registration (ncclCommDeregister). Throws CommunicationError. The destructor does the same and reports failures
    /// to the cleanup handler. Closing again does nothing.
    void close() { Registration::close(); }
};

/// Memory of all ranks of a communicator that each of them can access. Created in a Group, it is complete when the group has
/// ended. Movable, not copyable.
class [[nodiscard]] CUBIND_EXPORT Window : public detail::Registration {
public:
    /// Registers the memory together with that of the other ranks, which must all make this call with the same size, in the same
    /// order (ncclCommWindowRegister, since NCCL 2.27). `flags` are those of NCCL, such as NCCL_WIN_COLL_SYMMETRIC, which permits
    /// the fastest collectives. Throws CommunicationError, also if NCCL cannot map such memory: it must be of NcclMemoryResource
    /// or of a VirtualMemoryResource. Throws std::invalid_argument for memory of 0 bytes and for an address that is not a
    /// multiple of NCCL_WIN_REQUIRED_ALIGNMENT.
    template <detail::Source Memory>
    Window(Communicator& communicator, Memory&& memory, int flags = 0)
        : Registration(Kind::window, communicator, detail::elements_of(std::forward<Memory>(memory)), flags) {}

    /// Returns the native handle. It is null if the machine has no such windows, in which case operations work as without one.
    /// Throws std::invalid_argument after close().
    [[nodiscard]] ncclWindow_t native_handle() const { return static_cast<ncclWindow_t>(handle()); }
    /// Ends the registration (ncclCommWindowDeregister). All ranks must do so. Throws CommunicationError. The destructor does the
    /// same and reports failures to the cleanup handler. Closing again does nothing.
    void close() { Registration::close(); }
};

}  // namespace CUBIND_NAMESPACE::nccl

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nvshmem_core/detail/operand.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace CUBIND_NAMESPACE::nvshmem {

class Session;

namespace detail {
struct SessionState;

/// The ownership of a registration.
class CUBIND_EXPORT Registration {
public:
    Registration(Registration&& other) noexcept = default;
    Registration& operator=(Registration&& other) noexcept;
    ~Registration() { reset(); }

    /// Returns the address by which NVSHMEM knows the memory. Throws std::invalid_argument after close().
    [[nodiscard]] void* address() const;
    /// Ends the registration. Throws CommunicationError. The destructor does the same and reports failures to the cleanup
    /// handler. Closing again does nothing.
    void close();

protected:
    enum class Kind { source, symmetric };
    Registration(Kind kind, const Session& session, const Operand& memory);

private:
    void reset() noexcept;

    std::shared_ptr<SessionState> session_;
    void* address_;
    std::size_t size_;
    Kind kind_;
};

}  // namespace detail

/// Memory of this PE that transfers to and from PEs of other hosts may use as the local side. Memory of the symmetric heap needs
/// no registration, nor does any memory for PEs whose memory the device can access. The memory must outlive the registration.
/// Movable, not copyable; destroy it while no transfer uses the memory.
class [[nodiscard]] CUBIND_EXPORT RegisteredMemory : public detail::Registration {
public:
    /// Registers device memory of this PE only (nvshmemx_buffer_register, nvshmemx_buffer_unregister). Throws CommunicationError,
    /// and std::invalid_argument for memory of 0 bytes.
    template <detail::Destination Memory>
    RegisteredMemory(const Session& session, Memory&& memory) : Registration(Kind::source, session, detail::operand_of(memory)) {}
};

/// Memory that was allocated elsewhere and that becomes a part of the symmetric heap, at another address:
///
///     Buffer own = VirtualMemoryResource::for_communication(device).allocate(stream, size);
///     const nvshmem::SymmetricMemory<float> shared(session, own.span<float>());
///     session.put(stream, shared.span(), source, pe);
///
/// All PEs must register and end the registration in the same order, with the same size, as they do for buffers of a
/// SymmetricMemoryResource. The memory must be of a VirtualMemoryResource, and begin and end at multiples of its granularity.
template <class Element>
class [[nodiscard]] SymmetricMemory : public detail::Registration {
public:
    /// Registers the memory (nvshmemx_buffer_register_symmetric, nvshmemx_buffer_unregister_symmetric). Throws
    /// CommunicationError, also if NVSHMEM cannot map the memory, whose reason it prints; and std::invalid_argument for memory of
    /// 0 bytes.
    SymmetricMemory(const Session& session, std::span<Element> memory)
        : Registration(Kind::symmetric, session, detail::operand_of(memory)), count_(memory.size()) {}

    /// Returns the elements at the address that is symmetric. Throws std::invalid_argument after close().
    [[nodiscard]] std::span<Element> span() const { return {static_cast<Element*>(address()), count_}; }

private:
    std::size_t count_;
};

}  // namespace CUBIND_NAMESPACE::nvshmem

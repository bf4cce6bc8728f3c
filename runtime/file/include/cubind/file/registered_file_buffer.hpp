// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/file/detail/file_memory.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace CUBIND_NAMESPACE {

namespace detail::io {
class Registration;
}

/// Registers memory of a device with cuFile, so that transfers with GPUDirect Storage use it without a copy inside of the device
/// and without preparation (cuFileBufRegister, cuFileBufDeregister). It pays if the same memory is used often. Transfers find the
/// registration by the address, and work without one, too.
///
///     TypedBuffer<float> weights = device.allocate<float>(stream, count);
///     RegisteredFileBuffer registered(weights);
///
/// A Buffer or a TypedBuffer is retained until the registration ends; other memory must outlive it. Transfers that use the memory
/// must have ended before. The object keeps cuFile open, and may be destroyed before and after each File. Without GPUDirect
/// Storage, it registers nothing, and is_registered() is false. Movable, not copyable.
class [[nodiscard]] CUBIND_EXPORT RegisteredFileBuffer {
public:
    /// Creates an object without a registration, which can be assigned.
    RegisteredFileBuffer() noexcept;
    /// Registers the memory. Throws std::invalid_argument for memory of 0 bytes and for memory that is not of one device, and
    /// FileError if cuFile refuses it, for example because a part of it is registered.
    template <detail::io::Source Memory>
    [[nodiscard]] explicit RegisteredFileBuffer(Memory&& memory)
        : RegisteredFileBuffer(detail::OperandOf<Memory>::view(memory)) {}

    /// Takes the registration of the other object, which is closed then.
    RegisteredFileBuffer(RegisteredFileBuffer&& other) noexcept;
    /// Ends the own registration as the destructor does, and takes that of the other object.
    RegisteredFileBuffer& operator=(RegisteredFileBuffer&& other) noexcept;
    RegisteredFileBuffer(const RegisteredFileBuffer&) = delete;
    RegisteredFileBuffer& operator=(const RegisteredFileBuffer&) = delete;
    /// Ends the registration. A failure is reported to the cleanup handler.
    ~RegisteredFileBuffer();

    /// Returns whether cuFile has registered the memory.
    [[nodiscard]] bool is_registered() const noexcept;
    /// Ends the registration. Throws FileError if that fails; the object is closed in either case. Closing again does nothing.
    void close();
    /// Returns whether the object was closed or moved from.
    [[nodiscard]] bool is_closed() const noexcept { return registration_ == nullptr; }

private:
    explicit RegisteredFileBuffer(const detail::MemoryView& memory);

    std::unique_ptr<detail::io::Registration> registration_;
};

}  // namespace CUBIND_NAMESPACE

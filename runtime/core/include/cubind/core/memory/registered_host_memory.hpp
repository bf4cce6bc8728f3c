// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/memory/detail/memory_operand.hpp>
#include <cubind/core/memory/fill.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace CUBIND_NAMESPACE {

namespace detail {
class Registration;
}

/// Options of RegisteredHostMemory.
struct RegisteredHostMemoryOptions {
    /// Whether all contexts treat the memory as pinned. With unified addressing, they always do.
    bool portable = false;
    /// Whether devices access the memory by an address: RegisteredHostMemory::native_handle().
    bool mapped = false;
    /// Whether devices only read the memory: neither kernels nor copies and fills may write it. Required for constant memory and
    /// for pages that the host may only read. Requires a device with DeviceProperties::read_only_host_register_supported().
    bool read_only = false;
    /// Whether the memory is I/O memory of another device, such as a PCIe card. Drivers may demand privileges for it.
    bool io_memory = false;
};

/// Page-locks memory of the host in place while the object exists (cuMemHostRegister, cuMemHostUnregister). Copies of pinned
/// memory need no staging, and run while the host continues. The object owns the registration, and not the memory.
///
///     std::vector<float> values(n);
///     RegisteredHostMemory pinned(values, {.mapped = true});
///     copy(stream, buffer, values);                      // values and pinned refer to the same memory
///     launch(stream, config, kernel, pinned, n);         // devices access mapped memory
///
/// The memory must outlive the object. Work that uses the memory must complete before the object is destroyed, because
/// unregistering does not wait for it; graphs with such work must not be launched later. An object of 0 bytes registers nothing.
///
/// The object is movable. It may be destroyed on any thread, with any current context, and after its context.
class [[nodiscard]] CUBIND_EXPORT RegisteredHostMemory {
public:
    /// Creates an empty object, which is closed.
    RegisteredHostMemory() noexcept = default;

    /// Registers a contiguous range in the current context or, if none is current, in the primary context of device 0. Throws
    /// std::invalid_argument for constant elements without `read_only`. Throws Error if the driver refuses the memory: if a part
    /// of it is registered or was allocated by the driver, the message names the address and the size of that part.
    template <class Range>
    requires detail::Contiguous<std::remove_reference_t<Range>>
    [[nodiscard]] explicit RegisteredHostMemory(Range&& memory, const RegisteredHostMemoryOptions& options = {})
        : RegisteredHostMemory(ContextRef(), std::forward<Range>(memory), options) {}
    /// Registers the range in this context, like the other constructor.
    template <class Range>
    requires detail::Contiguous<std::remove_reference_t<Range>>
    [[nodiscard]] explicit RegisteredHostMemory(ContextRef context, Range&& memory,
                                                const RegisteredHostMemoryOptions& options = {})
        : RegisteredHostMemory(context, detail::OperandOf<Range>::view(memory),
                               std::is_const_v<typename detail::OperandOf<Range>::Element>, options) {
        detail::check_element<typename detail::OperandOf<Range>::Element>();
        static_assert(detail::outlives_call<Range>,
                      "a temporary object is destroyed before the memory is unregistered: give it a name");
    }

    /// Moves the registration; `other` is closed afterwards.
    RegisteredHostMemory(RegisteredHostMemory&& other) noexcept : registration_(std::exchange(other.registration_, nullptr)) {}
    /// Unregisters the memory as the destructor does, and moves the other registration into this object.
    RegisteredHostMemory& operator=(RegisteredHostMemory&& other) noexcept;
    RegisteredHostMemory(const RegisteredHostMemory&) = delete;
    RegisteredHostMemory& operator=(const RegisteredHostMemory&) = delete;
    /// Unregisters the memory. A failure is reported to the cleanup handler.
    ~RegisteredHostMemory() { reset(); }

    /// Returns the address for the host, or nullptr for 0 bytes.
    [[nodiscard]] void* data() const;
    /// Returns the size in bytes.
    [[nodiscard]] std::size_t size() const;
    /// Returns the options of the registration.
    [[nodiscard]] RegisteredHostMemoryOptions options() const;
    /// Returns the address for kernels of the devices of the context, or 0 for 0 bytes (cuMemHostGetDevicePointer, which the
    /// constructor calls). Throws std::invalid_argument if the memory is not mapped.
    [[nodiscard]] driver::CUdeviceptr native_handle() const;

    /// Sets whether synchronous copies and fills of the memory wait for their completion even where the driver may return early;
    /// see Buffer::set_synchronizes_memory_operations() (cuPointerSetAttribute). Has no effect for 0 bytes.
    void set_synchronizes_memory_operations(bool value);

    /// Unregisters the memory. Throws Error if that fails; the object is closed in either case. Closing again does nothing.
    void close();
    /// Returns whether the object is empty, or was moved from or closed.
    [[nodiscard]] bool is_closed() const noexcept { return registration_ == nullptr; }

private:
    RegisteredHostMemory(ContextRef context, const detail::MemoryView& memory, bool is_constant,
                         const RegisteredHostMemoryOptions& options);
    void reset() noexcept;
    const detail::Registration& registration() const;

    detail::Registration* registration_ = nullptr;
};

namespace detail {

[[nodiscard]] CUBIND_EXPORT MemoryView memory_view_of(const RegisteredHostMemory& memory);

/// As an operand of copies and fills, registered memory is bytes without a type, like a Buffer.
template <class Type>
requires std::is_same_v<std::remove_const_t<Type>, RegisteredHostMemory>
struct MemoryOperand<Type> {
    using Element = std::conditional_t<std::is_const_v<Type>, const std::byte, std::byte>;
    CUBIND_HIDDEN static constexpr bool is_view = false;
    CUBIND_HIDDEN static constexpr bool is_value = false;
    static MemoryView view(const RegisteredHostMemory& memory) { return memory_view_of(memory); }
};

template <>
struct FillTarget<RegisteredHostMemory&> {
    using Value = UntypedFillValue;
};

}  // namespace detail
}  // namespace CUBIND_NAMESPACE

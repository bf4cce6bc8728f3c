// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/memory/detail/memory_operand.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

namespace CUBIND_NAMESPACE {

/// When a wait for a value ends. `memory` is the element in memory and `value` the value of the wait.
enum class WaitCondition : unsigned int {
    /// The difference `memory - value`, as a signed number, is not negative. A counter may thus wrap around.
    greater_or_equal = driver::CU_STREAM_WAIT_VALUE_GEQ,
    /// `memory == value`.
    equal = driver::CU_STREAM_WAIT_VALUE_EQ,
    /// `(memory & value) != 0`.
    bitwise_and = driver::CU_STREAM_WAIT_VALUE_AND,
    /// `~(memory | value) != 0`. The device needs CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR.
    bitwise_nor = driver::CU_STREAM_WAIT_VALUE_NOR,
};

/// Options of a wait for a value.
struct WaitValueOptions {
    /// Makes writes of other devices, which arrived before the wait ended, visible to the work after the wait. The device needs
    /// CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES.
    bool flush_remote_writes = false;
};

/// Who sees the writes before a barrier earlier than the writes after it.
enum class MemoryBarrierScope : unsigned int {
    system = driver::CU_STREAM_MEMORY_BARRIER_TYPE_SYS,  ///< all devices and the host
    device = driver::CU_STREAM_MEMORY_BARRIER_TYPE_GPU,  ///< the device of the stream
};

namespace detail {

struct MemoryOperationAccess;

/// An element of the integral type that a memory operation reads or writes.
template <class Element>
CUBIND_HIDDEN inline constexpr bool is_operation_element = std::is_unsigned_v<Element>&& std::is_integral_v<Element> &&
                                                           (sizeof(Element) == 4 || sizeof(Element) == 8);

/// The value of an operation on an element. Is constructed from integers that are not larger than the element.
template <class Element>
class OperationValue {
public:
    template <class Value>
    requires(std::is_integral_v<Value> && sizeof(Value) <= sizeof(Element)) OperationValue(Value value)
    noexcept : bits(static_cast<std::uint64_t>(static_cast<Element>(value))) {}

    std::uint64_t bits;
};
template <class Memory>
using OperationValueFor = OperationValue<std::remove_const_t<typename OperandOf<Memory>::Element>>;

/// Throws std::invalid_argument unless the memory is one element of `size` bytes, at a multiple of this size.
CUBIND_EXPORT void check_element_of_operation(const MemoryView& memory, std::size_t size);

/// Returns the element. Does not compile for memory that is no element of a memory operation.
template <class Memory>
MemoryView element_of_operation(Memory&& memory) {
    using Element = std::remove_const_t<typename OperandOf<Memory>::Element>;
    static_assert(is_operation_element<Element>,
                  "a memory operation needs an unsigned element of 4 or 8 bytes: std::uint32_t or std::uint64_t");
    static_assert(outlives_call<Memory>, "a temporary object is destroyed before the operation is done: give it a name");
    const MemoryView view = OperandOf<Memory>::view(memory);
    check_element_of_operation(view, sizeof(Element));
    return view;
}

}  // namespace detail

/// A memory operation: a write of a value, a wait for a value, a barrier or a flush. It is a view; until it is submitted, the
/// buffer must not be moved or destroyed. The memory is one element of 4 or 8 bytes: a TypedBuffer, a std::span or a Global of
/// one element, or a variable of the host that a device can access. The driver accepts pinned memory, such as that of
/// LegacyPinnedMemoryResource, memory of VirtualMemoryResource or cuMemAlloc, and variables of loaded code. It refuses pageable
/// memory, managed memory, and memory of a pool, such as that of Device::allocate().
///
///     auto flag = LegacyPinnedMemoryResource().allocate<std::uint32_t>(stream, 1);
///     MemoryOperation::write(flag, 1)                                         // TypedBuffer<std::uint32_t> of one element
///     MemoryOperation::wait(flags.subspan(3, 1), WaitCondition::equal, 1)     // element 3
class CUBIND_EXPORT MemoryOperation {
public:
    /// Describes a write of the value, before which all earlier writes of the stream's work become visible. A value that is
    /// larger than the element does not compile. Throws std::invalid_argument if the memory has more or less than one element, or
    /// is not aligned to it.
    template <class Memory>
    [[nodiscard]] static MemoryOperation write(Memory&& memory, detail::OperationValueFor<Memory> value) {
        static_assert(!std::is_const_v<typename detail::OperandOf<Memory>::Element>, "a constant cannot be written");
        return write_element(detail::element_of_operation(std::forward<Memory>(memory)), value.bits);
    }

    /// Describes a wait until the element satisfies the condition, with the checks of write(). The element may be constant.
    template <class Memory>
    [[nodiscard]] static MemoryOperation wait(Memory&& memory, WaitCondition condition, detail::OperationValueFor<Memory> value,
                                              const WaitValueOptions& options = {}) {
        return wait_for_element(detail::element_of_operation(std::forward<Memory>(memory)), condition, value.bits, options);
    }

    /// Describes a barrier: writes before it become visible earlier than writes after it.
    [[nodiscard]] static MemoryOperation barrier(MemoryBarrierScope scope = MemoryBarrierScope::system) noexcept;

    /// Describes a flush, which makes earlier writes of other devices visible. The device needs
    /// CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES.
    [[nodiscard]] static MemoryOperation flush_remote_writes() noexcept;

    /// Describes the operation of the driver's parameters. The driver checks them.
    [[nodiscard]] static MemoryOperation from_native(const driver::CUstreamBatchMemOpParams& parameters) noexcept {
        return {parameters, nullptr};
    }

    /// Returns the parameters for calls of the driver.
    [[nodiscard]] const driver::CUstreamBatchMemOpParams& native() const noexcept { return native_; }
    /// Returns the kind of the operation.
    [[nodiscard]] driver::CUstreamBatchMemOpType type() const noexcept { return native_.operation; }
    /// Returns the address of the element of a write or a wait, and 0 for other operations.
    [[nodiscard]] driver::CUdeviceptr address() const noexcept;
    /// Returns the value of a write or a wait, and 0 for other operations.
    [[nodiscard]] std::uint64_t value() const noexcept;

private:
    friend struct detail::MemoryOperationAccess;
    MemoryOperation(const driver::CUstreamBatchMemOpParams& native, const Buffer* buffer) noexcept
        : native_(native), buffer_(buffer) {}
    static MemoryOperation write_element(const detail::MemoryView& memory, std::uint64_t value) noexcept;
    static MemoryOperation wait_for_element(const detail::MemoryView& memory, WaitCondition condition, std::uint64_t value,
                                            const WaitValueOptions& options);

    driver::CUstreamBatchMemOpParams native_;
    const Buffer* buffer_;
};

namespace detail {
CUBIND_EXPORT void submit(StreamRef stream, const MemoryOperation& operation);
}

/// Writes the value in stream order, with the memory and checks of MemoryOperation::write() (cuStreamWriteValue32,
/// cuStreamWriteValue64). During a capture, adds a node, and a GraphBuilder retains the buffer. A TypedBuffer may be destroyed
/// before the write is done if its free waits for this stream, like that of LegacyPinnedMemoryResource. Other memory must remain
/// until then. Throws Error if the driver rejects the operation. The message names the attribute of the device that is missing,
/// or describes the memory and the memory that is accepted.
///
///     write_value(stream, flag, 1);
template <class Memory>
void write_value(StreamRef stream, Memory&& memory, detail::OperationValueFor<Memory> value) {
    detail::submit(stream, MemoryOperation::write(std::forward<Memory>(memory), value));
}

/// Makes later work of the stream wait until the element satisfies the condition (cuStreamWaitValue32, cuStreamWaitValue64).
/// Another stream, a kernel or the host writes the value. The driver does not know of this dependency: a value that is never
/// written blocks the stream and each call that waits for it, and the writing work must not be queued behind the wait. Otherwise,
/// the rules of write_value() apply.
///
///     wait_value(stream, flag, WaitCondition::greater_or_equal, 1);
template <class Memory>
void wait_value(StreamRef stream, Memory&& memory, WaitCondition condition, detail::OperationValueFor<Memory> value,
                const WaitValueOptions& options = {}) {
    detail::submit(stream, MemoryOperation::wait(std::forward<Memory>(memory), condition, value, options));
}

/// Submits MemoryOperation::barrier() (cuStreamBatchMemOp).
inline void memory_barrier(StreamRef stream, MemoryBarrierScope scope = MemoryBarrierScope::system) {
    detail::submit(stream, MemoryOperation::barrier(scope));
}

/// Submits MemoryOperation::flush_remote_writes() (cuStreamBatchMemOp).
inline void flush_remote_writes(StreamRef stream) {
    detail::submit(stream, MemoryOperation::flush_remote_writes());
}

/// The most operations of one batch.
CUBIND_HIDDEN inline constexpr std::size_t max_memory_operations = 256;

/// Submits operations with one driver call (cuStreamBatchMemOp). They are done one after the other, in stream order. An empty
/// batch does nothing. Throws std::invalid_argument for more than max_memory_operations, and Error, which names the index of the
/// operation, if the driver rejects the batch. Then, no operation was submitted. Otherwise, the rules of write_value() and
/// wait_value() apply.
CUBIND_EXPORT void memory_operation_batch(StreamRef stream, std::span<const MemoryOperation> operations);
/// Submits the operations of a list:
///
///     memory_operation_batch(stream, {MemoryOperation::wait(ready, WaitCondition::equal, 1), MemoryOperation::write(ready, 0)});
inline void memory_operation_batch(StreamRef stream, std::initializer_list<MemoryOperation> operations) {
    memory_operation_batch(stream, std::span(operations.begin(), operations.size()));
}

}  // namespace CUBIND_NAMESPACE

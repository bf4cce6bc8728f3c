// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/typed_buffer.hpp>

#include <cstddef>

/// @file
/// The operands of transfers and collectives.

namespace CUBIND_NAMESPACE::nvshmem::detail {

/// The memory of one operand.
struct Operand {
    driver::CUdeviceptr address;
    std::size_t count;         ///< elements
    std::size_t element_size;  ///< in bytes
    const Buffer* buffer;      ///< the buffer that owns the memory, or nullptr

    [[nodiscard]] std::size_t size() const noexcept { return count * element_size; }
    [[nodiscard]] void* pointer() const noexcept { return reinterpret_cast<void*>(address); }
};

template <class Type>
CUBIND_HIDDEN inline constexpr bool is_typed_buffer = false;
template <class Element>
CUBIND_HIDDEN inline constexpr bool is_typed_buffer<TypedBuffer<Element>> = true;

template <class Type>
using ElementOf = typename cubind::detail::OperandOf<Type>::Element;

/// A TypedBuffer that outlives the call, or a view of memory, such as a std::span. Containers are of the host: NVSHMEM needs
/// memory that the device can access.
template <class Type>
concept Source = cubind::detail::IsMemoryOperand<Type> && !cubind::detail::OperandOf<Type>::is_value &&
                 (cubind::detail::OperandOf<Type>::is_view ||
                  is_typed_buffer<std::remove_cvref_t<Type>>)&&cubind::detail::outlives_call<Type> &&
                 std::is_trivially_copyable_v<ElementOf<Type>>;

/// A Source that can be written.
template <class Type>
concept Destination = Source<Type> && !std::is_const_v<ElementOf<Type>>;

/// Operands with elements of the same type.
template <class Left, class Right>
concept Matching = std::is_same_v<std::remove_cv_t<ElementOf<Left>>, std::remove_cv_t<ElementOf<Right>>>;

/// A destination with elements of this type.
template <class Type, class Element>
concept DestinationOf = Destination<Type> && std::is_same_v<ElementOf<Type>, Element>;

template <Source Type>
Operand operand_of(Type&& memory) {
    using Element = ElementOf<Type>;
    const cubind::detail::MemoryView view = cubind::detail::OperandOf<Type>::view(memory);
    return {view.address, view.size / sizeof(Element), sizeof(Element), view.buffer};
}

}  // namespace CUBIND_NAMESPACE::nvshmem::detail

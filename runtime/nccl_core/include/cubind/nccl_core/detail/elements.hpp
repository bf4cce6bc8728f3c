// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/nccl_core/data_type.hpp>

#include <cstddef>

/// @file
/// The operands of communication.

namespace CUBIND_NAMESPACE::nccl::detail {

/// The memory of one operand.
struct Elements {
    driver::CUdeviceptr address;
    std::size_t count;
    ncclDataType_t type;
    const Buffer* buffer;  ///< the buffer that owns the memory, or nullptr

    /// Returns `part_count` elements that begin at the element `offset`.
    [[nodiscard]] Elements part(std::size_t offset, std::size_t part_count) const noexcept {
        return {address + offset * size_of(type), part_count, type, buffer};
    }
};

template <class Operand>
CUBIND_HIDDEN inline constexpr bool is_typed_buffer = false;
template <class Element>
CUBIND_HIDDEN inline constexpr bool is_typed_buffer<TypedBuffer<Element>> = true;

template <class Operand>
using ElementOf = typename cubind::detail::OperandOf<Operand>::Element;

/// A TypedBuffer that outlives the call, or a view of memory, such as a std::span. Containers are of the host: NCCL needs memory
/// that the device can access.
template <class Operand>
concept Source = cubind::detail::IsMemoryOperand<Operand> && !cubind::detail::OperandOf<Operand>::is_value &&
                 (cubind::detail::OperandOf<Operand>::is_view ||
                  is_typed_buffer<std::remove_cvref_t<Operand>>)&&cubind::detail::outlives_call<Operand> &&
                 Transferable<ElementOf<Operand>>;

/// A Source that can be written.
template <class Operand>
concept Destination = Source<Operand> && !std::is_const_v<ElementOf<Operand>>;

/// Operands with elements of the same type.
template <class Left, class Right>
concept Matching = std::is_same_v<std::remove_cv_t<ElementOf<Left>>, std::remove_cv_t<ElementOf<Right>>>;

template <Source Operand>
Elements elements_of(Operand&& operand) {
    using Element = ElementOf<Operand>;
    const cubind::detail::MemoryView view = cubind::detail::OperandOf<Operand>::view(operand);
    return {view.address, view.size / sizeof(Element), data_type_of<Element>(), view.buffer};
}

}  // namespace CUBIND_NAMESPACE::nccl::detail

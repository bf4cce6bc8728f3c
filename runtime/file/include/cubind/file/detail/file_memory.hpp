// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/detail/memory_operand.hpp>
#include <cubind/core/memory/typed_buffer.hpp>

#include <type_traits>

/// The memory that transfers accept.
namespace CUBIND_NAMESPACE::detail::io {

/// A Buffer, a TypedBuffer or a contiguous range of trivially copyable elements that outlives the call.
template <class Operand>
concept Source = IsMemoryOperand<Operand> && !OperandOf<Operand>::is_value && outlives_call<Operand> &&
                 std::is_trivially_copyable_v<typename OperandOf<Operand>::Element>;

/// A Source that can be written.
template <class Operand>
concept Destination = Source<Operand> && !std::is_const_v<typename OperandOf<Operand>::Element>;

}  // namespace CUBIND_NAMESPACE::detail::io

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/math_base/operand.hpp>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "errors/misuse.hpp"

/// The checks of operands that all operations make. They throw std::invalid_argument with both sides.
namespace CUBIND_NAMESPACE::math::detail {

using cubind::detail::concat;
using cubind::detail::throw_misuse;

/// An operand with its name in messages, such as "a". A null operand is absent.
struct NamedOperand {
    const char* name;
    const Operand* operand;
    bool is_output = false;
};

/// Returns "a is float32 (64, 256) with strides (256, 1)".
[[nodiscard]] CUBIND_EXPORT std::string describe(const char* name, const Operand& operand);

/// Checks before each operation: the memory is accessible and of the plan's device, as far as that is known; no output is
/// read-only, has two indices of one element, or overlaps another operand. An output may be equal to an input of `in_place`.
/// Makes no call of the driver.
CUBIND_EXPORT void check_operands(const char* operation, const Device& device, std::initializer_list<NamedOperand> operands,
                                  const char* in_place = nullptr);

/// Throws if the operand has another type, shape or strides than those for which a plan was made. `what` is what the plan
/// expects: an operand like the one of the creation.
CUBIND_EXPORT void check_type(const char* operation, const char* name, const Operand& operand, DataType type);
CUBIND_EXPORT void check_shape(const char* operation, const char* name, const Operand& operand, const Dimensions& shape);
CUBIND_EXPORT void check_strides(const char* operation, const char* name, const Operand& operand, const Dimensions& strides);
/// Throws for another number of dimensions than one from `least` to `most`.
CUBIND_EXPORT void check_rank(const char* operation, const char* name, const Operand& operand, std::size_t least,
                              std::size_t most);
/// Throws if the address is not a multiple of `alignment` bytes.
CUBIND_EXPORT void check_alignment(const char* operation, const char* name, const Operand& operand, std::size_t alignment);
/// Returns the alignment that a plan for this operand requires of others: the highest power of two, at most `most` bytes, of
/// which the address is a multiple. Throws if `most` is no power of two.
[[nodiscard]] CUBIND_EXPORT std::size_t planned_alignment(const char* operation, const Operand& operand, std::size_t most);
/// Throws if the address is not a multiple of the bytes that the plan requires.
CUBIND_EXPORT void check_planned_alignment(const char* operation, const char* name, const Operand& operand,
                                           std::size_t alignment);
/// Returns the bytes from the first element to the end of the last one, for positive strides.
[[nodiscard]] CUBIND_EXPORT std::size_t extent_bytes(const Operand& operand);

/// Makes the graph retain the operands if a GraphBuilder captures the stream.
CUBIND_EXPORT void retain_for_capture(StreamRef stream, std::initializer_list<NamedOperand> operands);

}  // namespace CUBIND_NAMESPACE::math::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/detail/box_view.hpp>
#include <cubind/detail/abi.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

/// The operands that copy(), fill() and ManagedMemory accept.
namespace CUBIND_NAMESPACE {

class Buffer;
template <class Element>
class TypedBuffer;
template <class Type>
class Global;

namespace detail {

/// The memory of one operand.
struct MemoryView {
    driver::CUdeviceptr address;
    std::size_t size;      ///< in bytes
    const Buffer* buffer;  ///< the buffer that owns the memory, or nullptr
};

[[nodiscard]] CUBIND_EXPORT MemoryView memory_view_of(const Buffer& buffer);

template <class Element>
constexpr void check_element() {
    static_assert(std::is_trivially_copyable_v<Element>, "memory holds bytes: its elements must be trivially copyable");
}

template <class Type>
concept Contiguous = requires(Type& range) {
    std::span(range);
};

/// A StridedSpan.
template <class Type>
concept IsStridedSpan = requires {
    Type::is_strided_span;
};

/// A single object whose bytes can be copied. Excludes handles, boxes, strided spans and ranges without contiguous elements:
/// their bytes are not the data that they refer to.
template <class Type>
concept SingleValue =
    std::is_object_v<Type> && std::is_trivially_copyable_v<Type> && !std::is_null_pointer_v<std::remove_cv_t<Type>> &&
    !Contiguous<Type> && !IsBox<Type> && !IsStridedSpan<Type> && !requires(const Type& value) {
    value.native_handle();
}
&&!requires(const Type& value) {
    value.begin();
};

/// Describes operands of the type `Type`, which is const for a constant object. `Element` is the type of the elements, or
/// std::byte if they may have any type. `is_view` is true if copies of the object refer to the same memory, and `is_value` is
/// true for a single value. A type without `Element` is not an operand.
template <class Type>
struct MemoryOperand {};

template <class Type>
requires std::is_same_v<std::remove_const_t<Type>, Buffer>
struct MemoryOperand<Type> {
    using Element = std::conditional_t<std::is_const_v<Type>, const std::byte, std::byte>;
    CUBIND_HIDDEN static constexpr bool is_view = false;
    CUBIND_HIDDEN static constexpr bool is_value = false;
    static MemoryView view(const Buffer& buffer) { return memory_view_of(buffer); }
};

template <class Type>
struct MemoryOperand<TypedBuffer<Type>> {
    using Element = Type;
    CUBIND_HIDDEN static constexpr bool is_view = false;
    CUBIND_HIDDEN static constexpr bool is_value = false;
    static MemoryView view(const TypedBuffer<Type>& buffer) { return memory_view_of(buffer.bytes()); }
};
template <class Type>
struct MemoryOperand<const TypedBuffer<Type>> : MemoryOperand<TypedBuffer<Type>> {
    using Element = const Type;
};

template <class Type>
struct MemoryOperand<Global<Type>> {
    using Element = std::remove_extent_t<Type>;
    CUBIND_HIDDEN static constexpr bool is_view = true;
    CUBIND_HIDDEN static constexpr bool is_value = false;
    static MemoryView view(const Global<Type>& global) noexcept { return {global.address(), global.size_bytes(), nullptr}; }
};
template <class Type>
struct MemoryOperand<const Global<Type>> : MemoryOperand<Global<Type>> {};

template <Contiguous Range>
struct MemoryOperand<Range> {
    using Element = typename decltype(std::span(std::declval<Range&>()))::element_type;
    CUBIND_HIDDEN static constexpr bool is_view = std::ranges::enable_borrowed_range<std::remove_cv_t<Range>>;
    CUBIND_HIDDEN static constexpr bool is_value = false;
    static MemoryView view(Range& range) noexcept {
        const std::span elements(range);
        return {reinterpret_cast<driver::CUdeviceptr>(elements.data()), elements.size_bytes(), nullptr};
    }
};

template <SingleValue Value>
struct MemoryOperand<Value> {
    using Element = Value;
    CUBIND_HIDDEN static constexpr bool is_view = false;
    CUBIND_HIDDEN static constexpr bool is_value = true;
    static MemoryView view(Value& value) noexcept {
        return {reinterpret_cast<driver::CUdeviceptr>(std::addressof(value)), sizeof value, nullptr};
    }
};

/// The operand description of an argument with the forwarded type `Argument`.
template <class Argument>
using OperandOf = MemoryOperand<std::remove_reference_t<Argument>>;

template <class Argument>
concept IsMemoryOperand = requires {
    typename OperandOf<Argument>::Element;
};

/// Whether the operand's memory outlives the call. The memory of a temporary object does not.
template <class Argument>
CUBIND_HIDDEN inline constexpr bool outlives_call = std::is_lvalue_reference_v<Argument&&> || OperandOf<Argument>::is_view;

template <class Left, class Right>
CUBIND_HIDDEN inline constexpr bool have_matching_elements =
    std::is_same_v<Left, Right> || std::is_same_v<Left, std::byte> || std::is_same_v<Right, std::byte>;

/// Whether an operand is a pointer and the other operand does not store such pointers. In that case, the caller probably meant
/// the pointer as the address of the memory to copy.
template <class Operand, class OtherElement>
CUBIND_HIDDEN inline constexpr bool is_bare_pointer =
    Operand::is_value&& std::is_pointer_v<std::remove_cv_t<typename Operand::Element>> &&
    !std::is_same_v<std::remove_cv_t<typename Operand::Element>, std::remove_cv_t<OtherElement>>;

}  // namespace detail
}  // namespace CUBIND_NAMESPACE

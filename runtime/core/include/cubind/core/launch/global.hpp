// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <span>
#include <type_traits>

namespace CUBIND_NAMESPACE {

class ObjectCode;

/// The address and the size of a variable of loaded code on a device.
struct GlobalVariable {
    driver::CUdeviceptr address;  ///< address on the device
    std::size_t size;             ///< size in bytes
};

namespace detail {

/// The size of a variable of the type in bytes. For an array of any length, the size of an element.
template <class Type>
CUBIND_HIDDEN inline constexpr std::size_t global_size = sizeof(Type);
template <class Element>
CUBIND_HIDDEN inline constexpr std::size_t global_size<Element[]> = sizeof(Element);

}  // namespace detail

/// A typed view of a variable of loaded code, from ObjectCode::global(). `Type` is the type of the variable: float, a trivially
/// copyable struct, float[16], or float[] for an array of any length. copy() and fill() accept it, and a kernel receives its
/// address. It is valid as long as the code is loaded. Cheap to copy; any thread may use it.
///
///     float scale = 2;
///     copy(stream, code.global<float>("scale", device), scale);
///     copy(stream, code.global<float[16]>("table", device), values);
template <class Type>
class Global {
public:
    /// The type of the elements for an array, otherwise the type of the variable.
    using Element = std::remove_extent_t<Type>;
    static_assert(std::is_object_v<Element> && std::is_trivially_copyable_v<Element>,
                  "the variable is copied as bytes: its type must be trivially copyable");

    /// Returns the address on the device.
    [[nodiscard]] driver::CUdeviceptr address() const noexcept { return variable_.address; }

    /// Returns the number of elements, which is 1 for a variable that is not an array.
    [[nodiscard]] std::size_t count() const noexcept { return variable_.size / sizeof(Element); }

    /// Returns the size in bytes.
    [[nodiscard]] std::size_t size_bytes() const noexcept { return variable_.size; }

    /// Returns the elements by their device addresses, for kernels and copies.
    [[nodiscard]] std::span<Element> span() const noexcept { return {kernel_argument(), count()}; }

    /// Returns the pointer that a kernel receives.
    [[nodiscard]] Element* kernel_argument() const noexcept { return reinterpret_cast<Element*>(variable_.address); }

    /// Returns whether both are views of the same memory.
    [[nodiscard]] friend bool operator==(const Global& left, const Global& right) noexcept {
        return left.address() == right.address() && left.size_bytes() == right.size_bytes();
    }

private:
    friend class ObjectCode;
    explicit Global(const GlobalVariable& variable) noexcept : variable_(variable) {}

    GlobalVariable variable_;
};

}  // namespace CUBIND_NAMESPACE

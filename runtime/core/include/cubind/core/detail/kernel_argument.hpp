// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/detail/retainer.hpp>
#include <cubind/driver/types.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

/// What a kernel can be given, and how: numbers, enumerators, pointers and trivially copyable structs as they are; a std::span and whatever
/// owns device memory as a pointer. A class of one's own becomes an argument by a member `kernel_argument() const` that returns one of these.
namespace cubind {
class Buffer;
}

namespace cubind::detail {

std::shared_ptr<const void> share(const Buffer& buffer);

template <class Type>
concept MakesKernelArgument = requires(const Type& object) { object.kernel_argument(); };

/// A Buffer, and what else stands for a device address.
template <class Type>
concept HasDeviceAddress = requires(const Type& object) {
    { object.native_handle() } -> std::same_as<driver::CUdeviceptr>;
};

/// What others can keep, as share() of it does: a Buffer, or what has such a function of its own beside it.
template <class Type>
concept CanBeShared = requires(const Type& object) {
    { share(object) } -> std::convertible_to<std::shared_ptr<const void>>;
};

template <class Type>
concept IsContainer = requires(const Type& object) {
    object.begin();
    object.size();
};

template <class Type>
constexpr bool is_lambda() {
    // No trait tells; these are the names that the compilers give to closures.
    const std::string_view name = __PRETTY_FUNCTION__;
    return name.find("<lambda(") != name.npos || name.find("(lambda at ") != name.npos || name.find("'lambda") != name.npos;
}

/// A std::reference_wrapper, without the header that has it.
template <class Type>
concept IsReferenceWrapper = requires(const Type& object, typename Type::type& referred) {
    { object.get() } -> std::same_as<decltype(referred)>;
};

/// Does not compile for what a kernel cannot be given; says what to give it instead.
template <class Type>
constexpr void check_kernel_argument() {
    if constexpr (std::is_array_v<Type>) {
        static_assert(!std::is_array_v<Type>, "an array cannot be a kernel's argument: "
                      "pass a Buffer or a pointer to device memory, or a struct that holds the array");
    } else if constexpr (std::is_same_v<Type, long double>) {
        static_assert(!std::is_same_v<Type, long double>, "no device has long double: pass a double");
    } else if constexpr (std::is_function_v<std::remove_pointer_t<Type>>) {
        static_assert(!std::is_function_v<std::remove_pointer_t<Type>>, "a function of the host cannot be called on a device: "
                      "choose by an enumerator, or compile the code into the kernel");
    } else if constexpr (std::is_class_v<Type> && is_lambda<Type>()) {
        static_assert(!is_lambda<Type>(), "a lambda of the host cannot run on a device: "
                      "pass what it captures, and compile its code into the kernel");
    } else if constexpr (IsReferenceWrapper<Type>) {
        static_assert(!IsReferenceWrapper<Type>, "a reference would lead the kernel to host memory: "
                      "pass the value, or a pointer to memory that the device can reach");
    } else if constexpr (IsContainer<Type> && (!std::is_trivially_copyable_v<Type> || std::same_as<Type, std::string_view>)) {
        static_assert(std::is_arithmetic_v<Type>, "what a container holds lies in host memory: "
                      "copy it to a Buffer and pass that, or pass a std::span of memory that the device can reach");
    } else {
        static_assert(std::is_trivially_copyable_v<Type>, "a kernel's argument is copied byte by byte: "
                      "pass a number, a pointer, a Buffer, a std::span or a trivially copyable struct");
    }
}

/// What is passed for an argument of a type: itself...
template <class Type>
struct KernelArgument {
    static const Type& pass(const Type& argument) noexcept {
        check_kernel_argument<Type>();
        return argument;
    }
};

// ... or something that it stands for.
template <>
struct KernelArgument<std::nullptr_t> {
    static const void* pass(std::nullptr_t) noexcept { return nullptr; }
};

template <class Element, std::size_t extent>
struct KernelArgument<std::span<Element, extent>> {
    static Element* pass(std::span<Element, extent> elements) noexcept { return elements.data(); }
};

template <MakesKernelArgument Type>
struct KernelArgument<Type> {
    static auto pass(const Type& object) {
        using Value = std::remove_cvref_t<decltype(object.kernel_argument())>;
        check_kernel_argument<Value>();
        return Value(object.kernel_argument());
    }
};

template <HasDeviceAddress Type>
    requires(!MakesKernelArgument<Type>)
struct KernelArgument<Type> {
    static driver::CUdeviceptr pass(const Type& object) { return object.native_handle(); }
};

template <class Type>
void keep_if_shared(Retainer& retainer, const Type& argument) {
    if constexpr (CanBeShared<Type>) retainer.retain(share(argument));  // nothing, where there is nothing to keep
}

/// Has a graph keep what the arguments of a captured launch own.
template <class... Arguments>
[[gnu::cold, gnu::noinline]] void keep_all(Retainer& retainer, const Arguments&... arguments) {
    (keep_if_shared(retainer, arguments), ...);
}

/// The number of arguments and the size of each.
template <class... Values>
inline constexpr unsigned int sizes_of[] = {sizeof...(Values), sizeof(Values)...};

}  // namespace cubind::detail

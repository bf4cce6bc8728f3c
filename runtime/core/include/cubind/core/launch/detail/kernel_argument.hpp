// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/driver/types.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

/// The conversion of launch arguments. Numbers, enumerators, pointers and trivially copyable structs are passed by value. A
/// std::span or an owner of device memory is passed as a pointer. A user's class can be an argument if it has a member
/// `kernel_argument() const` that returns one of these.
namespace CUBIND_NAMESPACE {
class Buffer;
}

namespace CUBIND_NAMESPACE::detail {

CUBIND_EXPORT std::shared_ptr<const void> share(const Buffer& buffer);

template <class Type>
concept MakesKernelArgument = requires(const Type& object) {
    object.kernel_argument();
};

/// A Buffer, and other classes that represent a device address.
template <class Type>
concept HasDeviceAddress = requires(const Type& object) {
    { object.native_handle() } -> std::same_as<driver::CUdeviceptr>;
};

template <class Type>
concept HasElementType = requires {
    typename Type::element_type;
};

/// Elements whose pointer converts to `Element*`.
template <class Other, class Element>
concept PointsTo = std::is_convertible_v<Other*, Element*>;

/// Memory for a parameter `Element*`: memory without an element type, or with one whose pointer converts to `Element*`.
template <class Type, class Element>
concept IsMemoryFor = HasDeviceAddress<Type> && !MakesKernelArgument<Type> &&
                      (!HasElementType<Type> || std::is_convertible_v<typename Type::element_type*, Element*>);

/// A class whose kernel_argument() is a pointer that converts to `Element*`.
template <class Type, class Element>
concept MakesPointer =
    MakesKernelArgument<Type> && std::is_convertible_v<decltype(std::declval<const Type&>().kernel_argument()), Element*>;

/// Memory that stores a Buffer and returns it from bytes().
template <class Type>
concept HoldsBuffer = requires(const Type& object) {
    { object.bytes() } -> std::same_as<const Buffer&>;
};

/// An object whose memory `share(object)` retains: a Buffer, or a class for which argument-dependent lookup finds such a
/// function.
template <class Type>
concept CanBeShared = requires(const Type& object) {
    { share(object) } -> std::convertible_to<std::shared_ptr<const void>>;
};

template <class Type>
concept IsContainer = requires(const Type& object) {
    object.begin();
    object.size();
};

struct CallOperator {
    void operator()();
};

/// Inherits a call operator from CallOperator. If Type has one, too, the name operator() is ambiguous.
template <class Type>
struct WithCallOperator : Type, CallOperator {};

/// Whether the class has a member operator(), which may be a template or overloaded.
template <class Type>
concept HasCallOperator = (std::is_final_v<Type> && requires { &Type::operator(); }) ||
                          (std::is_class_v<Type> && !std::is_final_v<Type> && !requires { &WithCallOperator<Type>::operator(); });

/// A lambda, or another function object that is not an aggregate. An aggregate with an operator() is data whose operator() the
/// kernel can call.
template <class Type>
concept IsFunctionObject = HasCallOperator<Type> && !std::is_aggregate_v<Type>;

/// A std::reference_wrapper, recognized without the header that defines it.
template <class Type>
concept IsReferenceWrapper = requires(const Type& object, typename Type::type& referred) {
    { object.get() } -> std::same_as<decltype(referred)>;
};

/// Does not compile for a type that cannot be passed to a kernel; the diagnostic states what to pass instead.
template <class Type>
constexpr void check_kernel_argument() {
    if constexpr (std::is_array_v<Type>) {
        static_assert(!std::is_array_v<Type>,
                      "an array cannot be a kernel argument: "
                      "pass a Buffer or a pointer to device memory, or a struct that holds the array");
    } else if constexpr (std::is_same_v<Type, long double>) {
        static_assert(!std::is_same_v<Type, long double>, "no device has long double: pass a double");
    } else if constexpr (std::is_function_v<std::remove_pointer_t<Type>>) {
        static_assert(!std::is_function_v<std::remove_pointer_t<Type>>,
                      "a device cannot call a host function: "
                      "pass an enumerator that selects the code, or compile the code into the kernel");
    } else if constexpr (IsReferenceWrapper<Type>) {
        static_assert(!IsReferenceWrapper<Type>,
                      "a reference refers to host memory: "
                      "pass the value, or a pointer to memory that the device can access");
    } else if constexpr (IsFunctionObject<Type>) {
        static_assert(!IsFunctionObject<Type>,
                      "a device cannot call a lambda or function object of the host: "
                      "pass what it captures and compile its code into the kernel, or add a member kernel_argument()");
    } else if constexpr (IsContainer<Type> && (!std::is_trivially_copyable_v<Type> || std::same_as<Type, std::string_view>)) {
        static_assert(std::is_arithmetic_v<Type>,
                      "the elements of a container are in host memory: "
                      "copy it to a Buffer and pass that, or pass a std::span of memory that the device can access");
    } else {
        static_assert(std::is_trivially_copyable_v<Type>,
                      "a kernel argument is copied byte by byte: "
                      "pass a number, a pointer, a Buffer, a std::span or a trivially copyable struct");
    }
}

/// Converts an argument to the value that is passed for it. By default that is the argument itself.
template <class Type>
struct KernelArgument {
    static const Type& pass(const Type& argument) noexcept {
        check_kernel_argument<Type>();
        return argument;
    }
};

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
requires(!MakesKernelArgument<Type>) struct KernelArgument<Type> {
    static driver::CUdeviceptr pass(const Type& object) { return object.native_handle(); }
};

template <class Type>
void retain_if_shared(Retainer& retainer, const Type& argument) {
    if constexpr (CanBeShared<Type>) retainer.retain(share(argument));  // share() returns nullptr if there is nothing to retain
}

/// Makes a graph retain the memory of the arguments of a captured launch.
template <class... Arguments>
[[gnu::cold, gnu::noinline]] void retain_all(Retainer& retainer, const Arguments&... arguments) {
    (retain_if_shared(retainer, arguments), ...);
}

/// A launch compares the size and the code of each argument with those of the parameter. Bits 0 and 1 of a code hold the kind of
/// the value. In the code of a pointer, bits 2 and 3 hold the kind of its elements, and the bits above hold the binary logarithm
/// of their size in bytes.
enum ArgumentKind : unsigned char {
    any_value = 0,      ///< compared by its size only, such as a struct; elements of any type
    integer_value = 1,  ///< an integer, a boolean or an enumerator
    floating_value = 2,
    pointer_value = 3,
};

/// Returns the code of a pointer. Pointers to bytes point to elements of any type.
constexpr unsigned char pointer_code(ArgumentKind element, std::size_t element_size) noexcept {
    if (element == any_value || element == pointer_value || element_size < 2) return pointer_value;
    const unsigned int logarithm = element_size == 2 ? 1 : element_size == 4 ? 2 : 3;
    return static_cast<unsigned char>(unsigned{pointer_value} | unsigned{element} << 2 | logarithm << 4);
}

template <class Value>
constexpr unsigned char code_of() noexcept {
    if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>) {
        return integer_value;
    } else if constexpr (std::is_floating_point_v<Value>) {
        return floating_value;
    } else if constexpr (std::is_pointer_v<Value>) {
        using Element = std::remove_cv_t<std::remove_pointer_t<Value>>;
        if constexpr (std::is_arithmetic_v<Element>) {
            return pointer_code(static_cast<ArgumentKind>(code_of<Element>()), sizeof(Element));
        } else {
            return pointer_value;
        }
    } else {
        return any_value;
    }
}

/// The types of the arguments of a launch: their number, the size of each in bytes, and the code of each, four codes in a number.
template <class... Values>
constexpr auto describe_types() noexcept {
    constexpr std::size_t count = sizeof...(Values);
    struct {
        unsigned int numbers[1 + count + (count + 3) / 4];
    } types{{count, sizeof(Values)...}};
    [[maybe_unused]] std::size_t i = 0;
    ((types.numbers[1 + count + i / 4] |= unsigned{code_of<std::remove_cv_t<Values>>()} << i % 4 * 8, ++i), ...);
    return types;
}
template <class... Values>
CUBIND_HIDDEN inline constexpr auto types_of = describe_types<Values...>();

}  // namespace CUBIND_NAMESPACE::detail

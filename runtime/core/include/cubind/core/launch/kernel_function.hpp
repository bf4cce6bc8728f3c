// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/launch.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace CUBIND_NAMESPACE {

namespace detail {

/// Compares the number and the types of parameters (see types_of) with those of the kernel, in a context of the device or in the
/// context of the stream. Throws std::invalid_argument if they differ.
CUBIND_EXPORT void check_signature(const Kernel& kernel, const unsigned int* types, const Device& device);
CUBIND_EXPORT void check_signature(const Kernel& kernel, const unsigned int* types, StreamRef stream);

/// An argument for a pointer parameter: a value that converts to the pointer in C++, or device memory. It exists only during the
/// call.
template <class Element>
class PointerArgument {
public:
    PointerArgument(Element* pointer) noexcept : pointer_(pointer) {}
    PointerArgument(std::nullptr_t) noexcept {}

    template <PointsTo<Element> Other, std::size_t extent>
    PointerArgument(std::span<Other, extent> elements) noexcept : pointer_(elements.data()) {}

    template <IsMemoryFor<Element> Type>
    PointerArgument(const Type& memory) : PointerArgument(reinterpret_cast<Element*>(memory.native_handle()), memory) {}

    template <MakesPointer<Element> Type>
    PointerArgument(const Type& memory) : PointerArgument(memory.kernel_argument(), memory) {}

    Element* const& value() const noexcept { return pointer_; }

    void retain_by(Retainer& retainer) const {
        if (owner_ != nullptr) retainer.retain(share_(owner_));
    }

private:
    template <class Type>
    PointerArgument(Element* pointer, const Type& memory) : pointer_(pointer) {
        if constexpr (CanBeShared<Type>) {
            owner_ = &memory;
            share_ = [](const void* owner) -> std::shared_ptr<const void> { return share(*static_cast<const Type*>(owner)); };
        }
    }

    Element* pointer_ = nullptr;
    const void* owner_ = nullptr;
    std::shared_ptr<const void> (*share_)(const void* owner) = nullptr;
};

/// A class whose kernel_argument() is a handle of 64 bits, such as a TextureObject.
template <class Type>
concept MakesHandle = requires(const Type& object) {
    { object.kernel_argument() } -> std::same_as<unsigned long long>;
};

/// An argument for a parameter `unsigned long long`: a number, or a texture or surface for a cudaTextureObject_t or
/// cudaSurfaceObject_t. It exists only during the call.
class HandleArgument {
public:
    HandleArgument(unsigned long long value) noexcept : value_(value) {}

    template <class Type>
    requires(std::is_class_v<Type> && !MakesHandle<Type> && std::is_convertible_v<const Type&, unsigned long long>)
        HandleArgument(const Type& number)
        : value_(number) {}

    template <MakesHandle Type>
    HandleArgument(const Type& object) : value_(object.kernel_argument()) {
        if constexpr (CanBeShared<Type>) {
            owner_ = &object;
            share_ = [](const void* owner) -> std::shared_ptr<const void> { return share(*static_cast<const Type*>(owner)); };
        }
    }

    const unsigned long long& value() const noexcept { return value_; }

    void retain_by(Retainer& retainer) const {
        if (owner_ != nullptr) retainer.retain(share_(owner_));
    }

private:
    unsigned long long value_;
    const void* owner_ = nullptr;
    std::shared_ptr<const void> (*share_)(const void* owner) = nullptr;
};

/// The type of the argument for a parameter. For all types but pointers it is the parameter's type, so that C++ converts the
/// argument.
template <class Parameter>
struct ParameterOf {
    using Type = Parameter;
    static const Parameter& value(const Parameter& argument) noexcept { return argument; }
    static void retain(Retainer&, const Parameter&) noexcept {}
};

template <class Element>
struct ParameterOf<Element*> {
    using Type = PointerArgument<Element>;
    static Element* const& value(const Type& argument) noexcept { return argument.value(); }
    static void retain(Retainer& retainer, const Type& argument) { argument.retain_by(retainer); }
};

template <>
struct ParameterOf<unsigned long long> {
    using Type = HandleArgument;
    static const unsigned long long& value(const Type& argument) noexcept { return argument.value(); }
    static void retain(Retainer& retainer, const Type& argument) { argument.retain_by(retainer); }
};

/// A tensor map is passed by reference, because compilers pass values of such a large alignment in different ways.
template <>
struct ParameterOf<driver::CUtensorMap> {
    using Type = const driver::CUtensorMap&;
    static const driver::CUtensorMap& value(const driver::CUtensorMap& argument) noexcept { return argument; }
    static void retain(Retainer&, const driver::CUtensorMap&) noexcept {}
};

/// Launches a kernel whose parameters were compared with these types. A graph that captures the stream retains the arguments.
template <class... Parameters>
[[gnu::always_inline]] inline void launch_function(StreamRef stream, const LaunchConfig& config, const Kernel& kernel,
                                                   const typename ParameterOf<Parameters>::Type&... arguments) {
    if (Retainer* const retainer = StreamAccess::retainer(stream)) [[unlikely]] {
        (ParameterOf<Parameters>::retain(*retainer, arguments), ...);
    }
    launch_values<launch_compared>(stream, config, kernel, ParameterOf<Parameters>::value(arguments)...);
}

}  // namespace detail

/// Not defined: a signature must be `void(Parameters...)`.
template <class Signature>
class KernelFunction;

/// A kernel with a signature, which is compared with the loaded kernel once, at construction. A handle: it is as cheap to copy as
/// a Kernel. Any thread may call it.
///
///     KernelFunction<void(float, const float*, float*, std::size_t)> saxpy(code.kernel("saxpy"), device);
///     saxpy(stream, {.grid = blocks_for(n, 256), .block = 256}, 2, x, y, n);   // 2 and n are converted
///
/// x and y are Buffers, spans or pointers.
template <class... Parameters>
class KernelFunction<void(Parameters...)> {
    static_assert(((std::is_object_v<Parameters> && !std::is_const_v<Parameters>)&&...),
                  "a kernel takes its parameters by value: name the types without references and const");

public:
    /// Compares the number, the sizes and the types of the parameters with those of the kernel, as launch() does, and throws
    /// std::invalid_argument if they differ. The kernel's parameters are read in device.context() (cuKernelGetParamInfo); later
    /// calls may use other devices.
    KernelFunction(Kernel kernel, const Device& device) : kernel_(std::move(kernel)) {
        (detail::check_kernel_argument<Parameters>(), ...);
        detail::check_signature(kernel_, detail::types_of<Parameters...>.numbers, device);
    }

    /// Compares the parameters as the other constructor does, but reads the kernel's parameters in the context of the stream.
    KernelFunction(Kernel kernel, StreamRef stream) : kernel_(std::move(kernel)) {
        (detail::check_kernel_argument<Parameters>(), ...);
        detail::check_signature(kernel_, detail::types_of<Parameters...>.numbers, stream);
    }

    /// Launches the kernel as launch() does. The arguments are converted to the parameters' types as in a call of a C++ function.
    /// A pointer parameter accepts pointers and spans that convert to it, a Buffer, and typed memory of a matching element type.
    /// A parameter of type driver::CUtexObject or driver::CUsurfObject (unsigned long long) accepts a TextureObject or
    /// SurfaceObject.
    void operator()(StreamRef stream, const LaunchConfig& config,
                    typename detail::ParameterOf<Parameters>::Type... arguments) const {
        detail::launch_function<Parameters...>(stream, config, kernel_, arguments...);
    }

    /// Returns the kernel that the calls launch.
    [[nodiscard]] const Kernel& kernel() const noexcept { return kernel_; }

private:
    Kernel kernel_;
};

}  // namespace CUBIND_NAMESPACE

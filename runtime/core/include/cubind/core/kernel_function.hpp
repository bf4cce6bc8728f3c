// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace cubind {

namespace detail {

/// Throws std::invalid_argument where the parameters of the signature are not the kernel's. A driver that cannot tell says nothing.
void check_signature(const Kernel& kernel, const unsigned int* sizes);

/// For arguments that are known to be right.
void launch_bound(StreamRef stream, const LaunchConfig& config, const Kernel& kernel, ArgumentList arguments);

/// What a caller may pass for a pointer: what converts to it in C++, or stands for device memory. It lives no longer than the call.
template <class Element>
class PointerArgument {
public:
    PointerArgument(Element* pointer) noexcept : pointer_(pointer) {}
    PointerArgument(std::nullptr_t) noexcept {}

    template <class Other, std::size_t extent>
        requires std::is_convertible_v<Other*, Element*>
    PointerArgument(std::span<Other, extent> elements) noexcept : pointer_(elements.data()) {}

    template <HasDeviceAddress Type>
        requires(!MakesKernelArgument<Type>)
    PointerArgument(const Type& memory) : PointerArgument(reinterpret_cast<Element*>(memory.native_handle()), memory) {}

    template <MakesKernelArgument Type>
        requires std::is_convertible_v<decltype(std::declval<const Type&>().kernel_argument()), Element*>
    PointerArgument(const Type& memory) : PointerArgument(memory.kernel_argument(), memory) {}

    Element* const& value() const noexcept { return pointer_; }

    void keep(Retainer& retainer) const {
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

/// What a caller passes for a parameter: anything but a pointer as in C++.
template <class Parameter>
struct ParameterOf {
    using Type = Parameter;
    static const Parameter& value(const Parameter& argument) noexcept { return argument; }
    static void keep(Retainer&, const Parameter&) noexcept {}
};

template <class Element>
struct ParameterOf<Element*> {
    using Type = PointerArgument<Element>;
    static Element* const& value(const Type& argument) noexcept { return argument.value(); }
    static void keep(Retainer& retainer, const Type& argument) { argument.keep(retainer); }
};

}  // namespace detail

template <class Signature>
class KernelFunction;

/// A kernel whose parameters are known where it is called, checked once against the loaded kernel. A handle like the Kernel in it, as cheap
/// to copy; any thread may call it.
///
///     KernelFunction<void(float, const float*, float*, std::size_t)> saxpy(code.kernel("saxpy"));
///     saxpy(stream, {.grid = blocks, .block = 256}, 2, x, y, n);   // x, y: Buffer, std::span or pointer; 2 and n are converted
template <class... Parameters>
class KernelFunction<void(Parameters...)> {
    static_assert(((std::is_object_v<Parameters> && !std::is_const_v<Parameters>) && ...),
                  "a kernel takes its parameters by value: name the plain types");

public:
    /// Compares number and sizes of the parameters, and throws std::invalid_argument where they differ. Works in the calling thread's
    /// current context, else in device 0's primary one. A driver before CUDA 12.4 cannot tell; then nothing is compared.
    explicit KernelFunction(Kernel kernel) : kernel_(std::move(kernel)) {
        (detail::check_kernel_argument<Parameters>(), ...);
        detail::check_signature(kernel_, detail::sizes_of<Parameters...>);
    }

    /// Launches it, like launch(), with arguments that are converted as in a call of a C++ function.
    void operator()(StreamRef stream, const LaunchConfig& config, typename detail::ParameterOf<Parameters>::Type... arguments) const {
        if (detail::Retainer* const retainer = detail::StreamAccess::retainer(stream)) [[unlikely]] {
            (detail::ParameterOf<Parameters>::keep(*retainer, arguments), ...);
        }
        detail::launch_values<detail::launch_bound>(stream, config, kernel_, detail::ParameterOf<Parameters>::value(arguments)...);
    }

    const Kernel& kernel() const noexcept { return kernel_; }

private:
    Kernel kernel_;
};

}  // namespace cubind

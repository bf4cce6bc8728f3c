// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/kernels/embedded_code.hpp>

#include <cstddef>
#include <string>

namespace CUBIND_NAMESPACE {

/// What generated headers declare for the instances of a kernel template that were not requested. A call does not compile.
struct MissingInstance {
    /// Not to be called.
    template <class... Arguments>
    void operator()(const Arguments&...) const {
        static_assert(
            sizeof...(Arguments) == static_cast<std::size_t>(-1),
            "the header has no instance of this kernel template for these arguments: add it, such as \"scale<float>\", to "
            "INSTANTIATE of cubind_add_kernels(), or to the options --instantiate of cubind-gen");
    }
};

/// The type of the argument for a kernel's parameter of type `Parameter`. Arguments convert to it as KernelFunction describes: a
/// pointer parameter, for example, accepts a Buffer, a span, a pointer and typed memory.
template <class Parameter>
using ArgumentFor = typename detail::ParameterOf<Parameter>::Type;

/// Not defined: a signature must be `void(Parameters...)`.
template <class Signature>
class EmbeddedKernel;

/// A kernel of an EmbeddedCode, as a function object. The code is compiled and loaded at the first launch, which compares the
/// parameters with those of the kernel once. Later launches cost what those of a KernelFunction cost. On a system whose devices
/// have different architectures, each launch also looks up the kernel of the stream's device. Like the code, an object has static
/// storage duration and is constant-initialized. Any thread may call it.
///
///     kernels::saxpy(stream, {.grid = blocks_for(n, 256), .block = 256}, 2, x, y, n);
template <class... Parameters>
class EmbeddedKernel<void(Parameters...)> {
public:
    /// `symbol` is the kernel's symbol in the code, or nullptr if it is not known. `expression` is the name expression of an
    /// instance of a template, or nullptr. One of them must be known.
    constexpr EmbeddedKernel(const EmbeddedCode& code, const char* symbol, const char* expression = nullptr) noexcept
        : code_(code), name_{symbol, expression} {}
    EmbeddedKernel(const EmbeddedKernel&) = delete;
    EmbeddedKernel& operator=(const EmbeddedKernel&) = delete;

    /// Launches the kernel on the stream's device, as KernelFunction does. Throws the exceptions of EmbeddedCode::object_code()
    /// and of ObjectCode::kernel() if this is the first launch.
    void operator()(StreamRef stream, const LaunchConfig& config, ArgumentFor<Parameters>... arguments) const {
        const Kernel* kernel = loaded_.load(std::memory_order_acquire);
        if (kernel == nullptr) [[unlikely]]
            kernel = &load(stream.device());
        detail::launch_function<Parameters...>(stream, config, *kernel, arguments...);
    }

    /// Returns the kernel for a device, for its attributes, its occupancy and the nodes of graphs. Loads it like a launch.
    [[nodiscard]] const Kernel& kernel(const Device& device) const {
        const Kernel* const kernel = loaded_.load(std::memory_order_acquire);
        return kernel != nullptr ? *kernel : load(device);
    }

    /// Returns the kernel's symbol in the code, which sim::define_kernel() needs. If it is not known, loads the code for the
    /// current device.
    [[nodiscard]] std::string symbol() const { return name_.symbol != nullptr ? name_.symbol : kernel(Device()).name(); }

    /// Returns the code that has the kernel.
    [[nodiscard]] const EmbeddedCode& code() const noexcept { return code_; }

private:
    [[gnu::noinline]] const Kernel& load(const Device& device) const {
        (detail::check_kernel_argument<Parameters>(), ...);
        return detail::embedded_kernel(code_, name_, detail::types_of<Parameters...>.numbers, device, loaded_);
    }

    const EmbeddedCode& code_;
    detail::EmbeddedKernelName name_;
    mutable detail::LoadedKernel loaded_{nullptr};
};

}  // namespace CUBIND_NAMESPACE

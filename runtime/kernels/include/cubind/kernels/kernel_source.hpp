// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/kernels/embedded_kernel.hpp>

#include <array>
#include <string_view>

namespace CUBIND_NAMESPACE {

namespace detail {

/// The code of a SourceKernel, as a base class, so that it is initialized before the kernel.
class KernelSourceCode {
protected:
    constexpr KernelSourceCode(const char* expression, std::string_view source,
                               std::span<const std::string_view> options) noexcept
        : expressions_{expression}, code_({expression, source, {}, {}, options, expressions_}) {}

    std::array<std::string_view, 1> expressions_;
    EmbeddedCode code_;
};

}  // namespace detail

/// A kernel and its source; see kernel_source().
template <class Signature>
class SourceKernel : private detail::KernelSourceCode, public EmbeddedKernel<Signature> {
public:
    /// The arguments are those of kernel_source().
    constexpr SourceKernel(const char* expression, std::string_view source, std::span<const std::string_view> options) noexcept
        : KernelSourceCode(expression, source, options), EmbeddedKernel<Signature>(code_, nullptr, expression) {}
};

/// Returns a kernel whose source is a text of the program, as a function object. It is compiled and loaded at its first launch,
/// like the code of a .cu file. `expression` names the kernel, or an instance of a template, such as "scale<float>". `options`
/// are options of NVRTC, which must not name files. The texts and the array must have static storage duration.
///
///     inline constexpr auto saxpy = kernel_source<void(float, const float*, float*, std::size_t)>("saxpy", R"(
///         __global__ void saxpy(float a, const float* x, float* y, size_t n) {
///             size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
///             if (i < n) y[i] += a * x[i];
///         })");
///     saxpy(stream, {.grid = blocks_for(n, 256), .block = 256}, 2, x, y, n);
template <class Signature>
[[nodiscard]] constexpr SourceKernel<Signature> kernel_source(const char* expression, std::string_view source,
                                                              std::span<const std::string_view> options = {}) noexcept {
    return SourceKernel<Signature>(expression, source, options);
}

}  // namespace CUBIND_NAMESPACE

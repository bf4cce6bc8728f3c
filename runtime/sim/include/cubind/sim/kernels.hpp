// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <cubind/sim/kernel_body.hpp>

/// What kernels do on a simulated device, and which were launched.
namespace cubind::sim {

/// Supplies what the kernel of this name does, in place of its device code. `body` is called on the stream's thread, with the
/// kernel's arguments in their types, once for each launch
///
///     define_kernel("fill", [](const Launch& launch, float* out, float value, int count) {
///         std::ranges::fill(launch.memory(out, count), value);
///     });
///
/// or once for each thread, one after the other:
///
///     define_kernel("saxpy", [](const Thread& thread, float a, const float* x, float* y, std::size_t count) {
///         const auto i = std::size_t{thread.blockIdx.x} * thread.blockDim.x + thread.threadIdx.x;
///         if (i < count) y[i] += a * x[i];
///     });
///
/// Names are those of the PTX: mangled, unless the kernel is extern "C". A launch takes the body that its name has when the
/// launch is submitted, and a node of a graph the one when it is added; sizes and places of the parameters must then be the
/// kernel's, or the call fails with CUDA_ERROR_INVALID_VALUE and its record says why. A kernel without a body does nothing.
/// A body that throws makes its context fail with CUDA_ERROR_LAUNCH_FAILED. The driver says CUDA_ERROR_NOT_PERMITTED to a body
/// that calls it. install() starts without bodies.
template <class Body>
void define_kernel(std::string name, Body body) {
    detail::define(std::move(name), detail::make_body(std::move(body)));
}

/// The launches that have ended or were refused for their arguments, in that order, since install() or forget_launches(). Of
/// many, the latest Options::launches_kept.
std::vector<Launch> launches();
void forget_launches();

}  // namespace cubind::sim

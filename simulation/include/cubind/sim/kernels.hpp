// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/kernel_body.hpp>

#include <concepts>
#include <string>
#include <vector>

/// @file
/// Kernel bodies for simulated devices, and the record of launches.
namespace CUBIND_NAMESPACE::sim {

/// Defines what the kernel of this name does, in place of its device code. `body` runs on the stream's thread and
/// receives the kernel's arguments in their types. A body with a Launch parameter runs once for each launch:
///
///     define_kernel("fill", [](const Launch& launch, float* out, float value, int count) {
///         std::ranges::fill(launch.memory(out, count), value);
///     });
///
/// A body with a Thread parameter runs once for each thread, one thread after the other:
///
///     define_kernel("saxpy", [](const Thread& thread, float a, const float* x, float* y, std::size_t count) {
///         const auto i = std::size_t{thread.blockIdx.x} * thread.blockDim.x + thread.threadIdx.x;
///         if (i < count) y[i] += a * x[i];
///     });
///
/// The name is the one in the PTX: mangled, unless the kernel is extern "C". A launch uses the body that is defined when the
/// launch is submitted. A graph node uses the body that is defined when the node is added. The sizes and offsets of the body's
/// parameters must equal those of the kernel's parameters. Otherwise the launch, or the call that adds the node, returns
/// CUDA_ERROR_INVALID_VALUE. Launch::problem in the record of a failed launch states the reason, which is also printed on the
/// standard error stream.
///
/// A kernel without a body runs its PTX. If a body throws, its context fails with CUDA_ERROR_LAUNCH_FAILED. Driver calls from a
/// body return CUDA_ERROR_NOT_PERMITTED. No bodies are defined after install().
template <class Body>
void define_kernel(std::string name, Body body) {
    detail::define(std::move(name), detail::make_body(std::move(body)));
}

/// Defines what a kernel does that tells its symbol, such as a function of a header that `cubind-gen kernels` has written:
/// `define_kernel(kernels::saxpy, body)`.
template <class Kernel, class Body>
requires requires(const Kernel& kernel) {
    { kernel.symbol() } -> std::convertible_to<std::string>;
}
void define_kernel(const Kernel& kernel, Body body) {
    define_kernel(std::string(kernel.symbol()), std::move(body));
}

/// Returns the record of launches since install() or clear_launches(). It holds launches that have ended, and launches
/// that failed because the body's parameters differ from the kernel's, in the order in which they ended or failed. It
/// is limited to the latest Options::max_recorded_launches.
std::vector<Launch> launches();
/// Clears the record of launches.
void clear_launches();

}  // namespace CUBIND_NAMESPACE::sim

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstdint>

namespace CUBIND_NAMESPACE {

/// The address of a device function of type `Signature`, such as `float(float)`: the type of a kernel's parameter that is a
/// pointer to a function. The host cannot take such an address and cannot call the function. Code for the device stores it in a
/// variable, which the host copies:
///
///     __device__ float (*square_pointer)(float) = square;                      // in the .cu file
///
///     DeviceFunction<float(float)> square;
///     copy(stream, std::span(&square, 1), kernels::square_pointer(device));
///     stream.synchronize();
///     kernels::apply(stream, config, square, x, n);
///
/// An address is valid for the code and on the device that it was copied from.
template <class Signature>
struct DeviceFunction {
    std::uint64_t address = 0;  ///< 0 for a null pointer

    /// Compares the addresses.
    friend bool operator==(const DeviceFunction&, const DeviceFunction&) = default;
};

}  // namespace CUBIND_NAMESPACE

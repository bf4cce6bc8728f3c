// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The linker of PTX that the simulated driver offers to the replacements of nvJitLink's functions.

#include <cubind/detail/abi.hpp>

#include <cstddef>

namespace CUBIND_NAMESPACE::sim {

/// An input of a link.
struct SimulatedLinkInput {
    unsigned type;  ///< a CUjitInputType
    const char* bytes;
    std::size_t size;
    const char* name;
};

/// The name under which the simulated driver exports a SimulatedLink.
inline constexpr const char* simulated_link_symbol = "cubindSimulatedLink";

/// Links PTX and fat binaries to PTX for the simulated devices, of which there may be none, without cuInit(). Calls `receive`
/// once with the PTX, which ends with NUL, or with an empty text, and with the reasons for a failure. Returns a CUresult. Returns
/// -1 if `size` is not that of the driver's SimulatedLinkInput, because both libraries are of different versions, or if memory is
/// exhausted.
using SimulatedLink = int(const SimulatedLinkInput* inputs, std::size_t count, std::size_t size,
                          void (*receive)(void* receiver, const char* code, std::size_t code_size, const char* problem),
                          void* receiver) noexcept;

}  // namespace CUBIND_NAMESPACE::sim

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/handlers/texture/texel.hpp"

/// The filtering of textures, for one thread.
namespace CUBIND_NAMESPACE::sim::ptx {

/// Where a thread samples a texture.
struct SamplePoint {
    std::uint32_t layer = 0;
    std::array<float, 3> position{};
    float level = 0;
};

/// Where a thread reads a texel.
struct FetchPoint {
    std::uint32_t layer = 0;
    std::array<std::int32_t, 3> position{};
};

/// How an instruction samples.
enum class SampleUse : std::uint8_t { sample, gradient, gather, fetch };

/// Returns why the simulation cannot sample a texture in this way, or null if it can. The other functions require that it can.
const char* problem_of(const Texture& texture, Geometry geometry, SampleUse use) noexcept;

/// Samples a texture. Coordinates have 8 bits of a fraction for linear filters.
Texel sample(const Texture& texture, const SamplePoint& point);

/// Returns one channel of the four texels that a linear filter would use, counterclockwise from the lower left one.
Texel gather(const Texture& texture, const SamplePoint& point, unsigned channel);

/// Reads the texel with this index. Returns false if the result is undefined.
bool fetch(const Texture& texture, const FetchPoint& point, Texel& texel);

}  // namespace CUBIND_NAMESPACE::sim::ptx

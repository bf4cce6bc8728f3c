// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/handlers/texture/sampling.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

constexpr int one_weight = 256;

/// A sum of doubles with the error of its roundings. value() is rounded to odd, so that rounding it to float has the same result
/// as rounding the exact sum.
class Sum {
public:
    void add(double value) noexcept {
        const double sum = high_ + value;
        const double part = sum - high_;
        low_ += (high_ - (sum - part)) + (value - part);
        high_ = sum;
    }
    double value() const noexcept {
        if (!std::isfinite(high_)) return high_;
        const double sum = high_ + low_;
        const double error = low_ - (sum - high_);
        const std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
        if (!(error < 0 || error > 0) || (bits & 1) != 0) return sum;
        return std::bit_cast<double>((error < 0) == (sum < 0) ? bits + 1 : bits - 1);
    }

private:
    double high_ = 0;
    double low_ = 0;
};

/// The two texels of an axis that a linear filter uses. Other filters use only the first.
struct AxisTexels {
    std::array<std::int64_t, 2> index{};
    std::array<bool, 2> is_border{};
    int weight = 0;  ///< of the second texel, in 1/256
};

std::int64_t remainder_of(std::int64_t value, std::int64_t divisor) noexcept {
    const std::int64_t remainder = value % divisor;
    return remainder < 0 ? remainder + divisor : remainder;
}

// Moves an index into the axis by the address mode. Returns false if the index is in the border.
bool place_index(AddressMode mode, std::int64_t size, std::int64_t& index) noexcept {
    switch (mode) {
        case AddressMode::wrap:
            index = remainder_of(index, size);
            return true;
        case AddressMode::mirror: {
            const std::int64_t in_pair = remainder_of(index, 2 * size);
            index = in_pair < size ? in_pair : 2 * size - 1 - in_pair;
            return true;
        }
        case AddressMode::clamp:
            index = std::clamp<std::int64_t>(index, 0, size - 1);
            return true;
        default:
            return index >= 0 && index < size;
    }
}

// Only normalized coordinates repeat.
AddressMode mode_of(const Texture& texture, unsigned axis) noexcept {
    const AddressMode mode = texture.address[axis];
    return texture.has_normalized_coordinates || mode == AddressMode::border ? mode : AddressMode::clamp;
}

AxisTexels find_texels(const Texture& texture, unsigned axis, float coordinate, std::uint32_t size, bool is_linear) noexcept {
    const AddressMode mode = mode_of(texture, axis);
    auto position = static_cast<double>(coordinate);
    if (texture.has_normalized_coordinates) {
        // Remainders and products are exact.
        if (mode == AddressMode::wrap) position = std::fmod(position, 1.0);
        if (mode == AddressMode::mirror) position = std::fmod(position, 2.0);
        position *= size;
    }
    constexpr double limit = 1 << 30;
    position = position == position ? std::clamp(position, -limit, limit) : 0;
    AxisTexels texels;
    if (is_linear) {
        const auto fixed = static_cast<std::int64_t>(std::floor(position * one_weight + 0.5)) - one_weight / 2;
        texels.index = {fixed >> 8, (fixed >> 8) + 1};
        texels.weight = static_cast<int>(fixed & (one_weight - 1));
    } else {
        texels.index[0] = static_cast<std::int64_t>(std::floor(position));
    }
    for (unsigned i = 0; i < 2; ++i) texels.is_border[i] = !place_index(mode, size, texels.index[i]);
    return texels;
}

unsigned axes_of(Geometry geometry) noexcept {
    switch (geometry) {
        case Geometry::linear:
        case Geometry::line:
        case Geometry::layered_line:
            return 1;
        case Geometry::volume:
            return 3;
        default:
            return 2;
    }
}

/// Where a thread samples, after the choice of a face: the plane or layer, and the position in it.
struct PlacePoint {
    std::int64_t layer = 0;
    std::array<float, 3> position{};
};

// The longest coordinate chooses the face of a cube. Faces are in the order +x, -x, +y, -y, +z, -z.
PlacePoint choose_face(const std::array<float, 3>& direction) noexcept {
    const auto [x, y, z] = direction;
    const float length_x = std::fabs(x);
    const float length_y = std::fabs(y);
    const float length_z = std::fabs(z);
    PlacePoint point;
    float s = 0;
    float t = 0;
    float length = 0;
    if (length_x > length_y && length_x > length_z) {
        point.layer = x < 0 ? 1 : 0;
        s = x < 0 ? z : -z;
        t = -y;
        length = length_x;
    } else if (length_y > length_z) {
        point.layer = y < 0 ? 3 : 2;
        s = x;
        t = y < 0 ? -z : z;
        length = length_y;
    } else {
        point.layer = z < 0 ? 5 : 4;
        s = z < 0 ? -x : x;
        t = -y;
        length = length_z;
    }
    point.position = {(s / length + 1) / 2, (t / length + 1) / 2, 0};
    return point;
}

PlacePoint find_place(const Texture& texture, const SamplePoint& point) noexcept {
    const bool is_cube = texture.geometry == Geometry::cube || texture.geometry == Geometry::layered_cube;
    PlacePoint place = is_cube ? choose_face(point.position) : PlacePoint{0, point.position};
    const std::uint32_t layers = texture.levels[0].layers / (is_cube ? 6 : 1);
    place.layer += std::int64_t{std::min(point.layer, layers - 1)} * (is_cube ? 6 : 1);
    return place;
}

/// The texels of a filter in all axes.
struct Footprint {
    std::array<AxisTexels, 3> axes;
    unsigned count;
    std::int64_t layer;

    TexelPlace place(unsigned x, unsigned y, unsigned z) const noexcept {
        TexelPlace result{axes[0].index[x], 0, layer, axes[0].is_border[x]};
        if (count > 1) {
            result.y = axes[1].index[y];
            result.is_border |= axes[1].is_border[y];
        }
        if (count > 2) {
            result.z = axes[2].index[z];
            result.is_border |= axes[2].is_border[z];
        }
        return result;
    }
};

Footprint find_footprint(const Texture& texture, const TextureLevel& level, const PlacePoint& point, bool is_linear) noexcept {
    const std::array<std::uint32_t, 3> sizes = {level.width, level.height, level.depth};
    Footprint footprint{{}, axes_of(texture.geometry), point.layer};
    for (unsigned axis = 0; axis < footprint.count; ++axis) {
        footprint.axes[axis] = find_texels(texture, axis, point.position[axis], sizes[axis], is_linear);
    }
    return footprint;
}

// Splits a weight for the two texels of another axis. The product of the weights is rounded once.
std::array<int, 2> split_weight(int weight, int second) noexcept {
    const int product = (weight * second + one_weight / 2) / one_weight;
    return {weight - product, product};
}

Texel filter(const Texture& texture, const TextureLevel& level, const Footprint& footprint) {
    std::array<Sum, 4> sums;
    const auto add = [&](int weight, unsigned x, unsigned y, unsigned z) {
        const TexelValue value = read_value(texture, level, footprint.place(x, y, z));
        for (unsigned channel = 0; channel < texture.channels; ++channel) sums[channel].add(weight * value[channel]);
    };
    for (unsigned x = 0; x < 2; ++x) {
        const int weight_x = x == 0 ? one_weight - footprint.axes[0].weight : footprint.axes[0].weight;
        if (footprint.count == 1) {
            add(weight_x, x, 0, 0);
            continue;
        }
        // Only the product of the weights of the second texels is rounded. The other weights follow from it.
        const int second_y = footprint.axes[1].weight;
        const int corner = split_weight(footprint.axes[0].weight, second_y)[1];
        const std::array<int, 2> weights_y =
            x == 0 ? std::array{weight_x - (second_y - corner), second_y - corner} : std::array{weight_x - corner, corner};
        for (unsigned y = 0; y < 2; ++y) {
            if (footprint.count == 2) {
                add(weights_y[y], x, y, 0);
                continue;
            }
            const std::array<int, 2> weights_z = split_weight(weights_y[y], footprint.axes[2].weight);
            for (unsigned z = 0; z < 2; ++z) add(weights_z[z], x, y, z);
        }
    }
    TexelValue values{};
    for (unsigned channel = 0; channel < texture.channels; ++channel) values[channel] = sums[channel].value();
    return to_texel(texture, values);
}

Texel sample_level(const Texture& texture, const TextureLevel& level, const PlacePoint& point) {
    const Footprint footprint = find_footprint(texture, level, point, texture.is_linear);
    return texture.is_linear ? filter(texture, level, footprint) : read_texel(texture, level, footprint.place(0, 0, 0));
}

Texel blend(const Texel& first, const Texel& second, int weight) {
    Texel result;
    for (unsigned channel = 0; channel < 4; ++channel) {
        Sum sum;
        sum.add((one_weight - weight) * static_cast<double>(std::bit_cast<float>(first[channel])));
        sum.add(weight * static_cast<double>(std::bit_cast<float>(second[channel])));
        result[channel] = std::bit_cast<std::uint32_t>(round_away(sum.value() / one_weight));
    }
    return result;
}

bool has_border_color(const Texture& texture) noexcept {
    return std::ranges::any_of(texture.border, [](float each) { return each < 0 || each > 0 || each != each; });
}

}  // namespace

const char* problem_of(const Texture& texture, Geometry geometry, SampleUse use) noexcept {
    if (!texture.problem.empty()) return texture.problem.c_str();
    const bool is_linear_memory = texture.geometry == Geometry::linear;
    if (is_linear_memory && geometry == Geometry::line)
        return use == SampleUse::fetch ? nullptr : "is linear memory, which only integer coordinates can address";
    if (texture.geometry != geometry) return "does not have the dimensions of the instruction";
    if (use == SampleUse::fetch) return texture.levels.size() == 1 ? nullptr : "has levels of detail and integer coordinates";
    if (texture.levels.size() > 1) {
        if (use == SampleUse::gradient) return "has levels of detail, which gradients select";
        if (!texture.has_normalized_coordinates) return "has levels of detail and coordinates that are not normalized";
    }
    if (!has_float_texels(texture) && (texture.is_linear || (texture.levels.size() > 1 && texture.is_linear_of_levels)))
        return "has a linear filter for integers";
    if (texture.type != ChannelType::f32 && texture.type != ChannelType::f16 && has_border_color(texture))
        return "has a border with a color for integers";
    return nullptr;
}

Texel sample(const Texture& texture, const SamplePoint& point) {
    const PlacePoint place = find_place(texture, point);
    if (texture.levels.size() == 1) return sample_level(texture, texture.levels[0], place);
    const auto last = static_cast<float>(texture.levels.size() - 1);
    float level = point.level + texture.level_bias;
    level = level == level ? std::min(std::max(level, texture.min_level), texture.max_level) : 0;
    level = std::min(std::max(level, 0.0f), last);
    if (!texture.is_linear_of_levels) {
        return sample_level(texture, texture.levels[static_cast<std::size_t>(level + 0.5f)], place);
    }
    const auto fixed = static_cast<unsigned>(level * one_weight + 0.5f);
    const Texel first = sample_level(texture, texture.levels[fixed / one_weight], place);
    if (fixed % one_weight == 0) return first;
    return blend(first, sample_level(texture, texture.levels[fixed / one_weight + 1], place),
                 static_cast<int>(fixed % one_weight));
}

Texel gather(const Texture& texture, const SamplePoint& point, unsigned channel) {
    const TextureLevel& level = texture.levels[0];
    const Footprint footprint = find_footprint(texture, level, find_place(texture, point), true);
    return {read_texel(texture, level, footprint.place(0, 1, 0))[channel],
            read_texel(texture, level, footprint.place(1, 1, 0))[channel],
            read_texel(texture, level, footprint.place(1, 0, 0))[channel],
            read_texel(texture, level, footprint.place(0, 0, 0))[channel]};
}

bool fetch(const Texture& texture, const FetchPoint& point, Texel& texel) {
    const TextureLevel& level = texture.levels[0];
    const std::array<std::uint32_t, 3> sizes = {level.width, level.height, level.depth};
    bool is_inside = true;
    const unsigned axes = axes_of(texture.geometry);
    for (unsigned axis = 0; axis < axes; ++axis) {
        is_inside &= point.position[axis] >= 0 && static_cast<std::uint32_t>(point.position[axis]) < sizes[axis];
    }
    if (!is_inside && texture.geometry != Geometry::linear) return false;
    TexelPlace place;
    if (is_inside) place.x = point.position[0];
    if (axes > 1) place.y = point.position[1];
    place.z = axes > 2 ? point.position[2] : std::int64_t{std::min(point.layer, level.layers - 1)};
    texel = read_texel(texture, level, place);
    if (!is_inside) std::fill_n(texel.begin(), texture.channels, 0u);
    return true;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx

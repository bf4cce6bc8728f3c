// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device_properties.hpp>
#include <cubind/driver/strings.hpp>

#include <algorithm>

#include "array/array_description.hpp"
#include "calls/driver.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

void check_shape(const ArrayOptions& options) {
    if (options.width == 0) throw_misuse("ArrayOptions: the width is 0, but it must be at least 1");
    if (options.depth != 0 && options.height == 0) {
        throw_misuse("ArrayOptions: the depth is ", options.depth,
                     " and the height is 0: set the height, or use layers for an array of layers of one dimension");
    }
    if (options.depth != 0 && options.layers != 0) {
        throw_misuse("ArrayOptions: the depth is ", options.depth, " and there are ", options.layers,
                     " layers: an array has slices or layers, so set one of them to 0");
    }
    if (options.cubemap && (options.height != options.width || options.depth != 0)) {
        throw_misuse("ArrayOptions: a cubemap with width ", options.width, ", height ", options.height, " and depth ",
                     options.depth, ": its faces are squares, so set the height to the width and the depth to 0");
    }
    constexpr std::size_t max_cubemaps = ~std::size_t{0} / faces_of_cubemap;
    if (options.cubemap && options.layers > max_cubemaps) {
        throw_misuse("ArrayOptions: there are ", options.layers, " layers of cubemaps, but there can be at most ", max_cubemaps);
    }
    if (options.texture_gather && (options.height == 0 || options.depth != 0)) {
        throw_misuse("ArrayOptions: texture_gather requires an array of two dimensions, and this one has height ", options.height,
                     " and depth ", options.depth);
    }
}

void check_format(ArrayFormat format) {
    const bool has_free_channels = format.channel <= driver::CU_AD_FORMAT_FLOAT;
    const bool is_count = format.channels == 1 || format.channels == 2 || format.channels == 4;
    if (has_free_channels && !is_count) {
        throw_misuse("ArrayOptions: an element of format ", driver::to_string(format.channel), " cannot have ", format.channels,
                     " channels: it has 1, 2 or 4");
    }
}

/// An extent of an array, with the attribute of the device that limits it.
struct Limit {
    const char* name;
    std::size_t value;
    driver::CUdevice_attribute attribute;
};

// Appends a sentence for each extent that exceeds its limit.
template <std::size_t count>
void append_exceeded(std::string& text, const Limit (&limits)[count], Device device) {
    for (const Limit& each : limits) {
        const auto limit = static_cast<std::size_t>(device.properties().attribute(each.attribute));
        if (each.value <= limit) continue;
        text.append(concat(text.empty() ? "" : " ", "The ", each.name, " is ", each.value, ", and device ", device.ordinal(),
                           " allows at most ", limit, " (", driver::to_string(each.attribute), ")."));
    }
}

std::string exceeded_by_texture(const ArrayOptions& o, Device device) {
    std::string text;
    if (o.cubemap && o.layers != 0) {
        append_exceeded(
            text,
            {{"width", o.width, driver::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH},
             {"number of faces", o.layers * faces_of_cubemap, driver::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS}},
            device);
    } else if (o.cubemap) {
        append_exceeded(text, {{"width", o.width, driver::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH}}, device);
    } else if (o.layers != 0 && o.height == 0) {
        append_exceeded(text,
                        {{"width", o.width, driver::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH},
                         {"number of layers", o.layers, driver::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS}},
                        device);
    } else if (o.layers != 0) {
        append_exceeded(text,
                        {{"width", o.width, driver::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH},
                         {"height", o.height, driver::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT},
                         {"number of layers", o.layers, driver::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS}},
                        device);
    } else if (o.depth != 0) {
        append_exceeded(text,
                        {{"width", o.width, driver::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH},
                         {"height", o.height, driver::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT},
                         {"depth", o.depth, driver::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH}},
                        device);
    } else if (o.height == 0) {
        append_exceeded(text, {{"width", o.width, driver::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH}}, device);
    } else if (o.texture_gather) {
        append_exceeded(text,
                        {{"width", o.width, driver::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH},
                         {"height", o.height, driver::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT}},
                        device);
    } else {
        append_exceeded(text,
                        {{"width", o.width, driver::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH},
                         {"height", o.height, driver::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT}},
                        device);
    }
    return text;
}

}  // namespace

void check_array(const ArrayOptions& options, ContextRef context) {
    check_shape(options);
    check_format(options.format);
    if (!options.sparse && !options.deferred_mapping) return;
    const DeviceProperties device = context.device().properties();
    if (options.sparse && !device.sparse_cuda_array_supported()) {
        throw_misuse("ArrayOptions: sparse is set, and the device has no sparse arrays (sparse_cuda_array_supported)");
    }
    if (options.deferred_mapping && !device.deferred_mapping_cuda_array_supported()) {
        throw_misuse(
            "ArrayOptions: deferred_mapping is set, and the device has no arrays to which memory is mapped later "
            "(deferred_mapping_cuda_array_supported)");
    }
}

std::string advice_on_array(const ArrayOptions& options, ContextRef context) {
    try {
        const std::string exceeded = exceeded_by_texture(options, context.device());
        if (!exceeded.empty()) return exceeded;
    } catch (const Error&) {
    }
    return concat("The call was for ", describe(options), "; no extent exceeds a limit of the device.");
}

}  // namespace CUBIND_NAMESPACE::detail

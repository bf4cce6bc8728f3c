// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/array/texture.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/driver/constants.hpp>
#include <cubind/driver/texture_object.hpp>

#include <algorithm>

#include "array/array_description.hpp"
#include "array/array_state.hpp"
#include "array/texture_checks.hpp"
#include "calls/driver.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/refusals.hpp"

namespace CUBIND_NAMESPACE {

// ---- the state -----------------------------------------------------------------------------------------------------------

namespace detail {

/// Owns a texture, and retains the memory that it samples.
class TextureState final : public ContextObject {
public:
    TextureState(ContextRef context, std::shared_ptr<const void> sampled)
        : ContextObject(context, driver::cuTexObjectDestroy, "destroy a texture", std::move(sampled)) {}

    static TextureRef own(std::shared_ptr<TextureState> state, driver::CUtexObject handle) noexcept {
        TextureRef texture(handle);
        texture.state_ = ContextObject::own(std::move(state), handle);
        return texture;
    }

    static ContextRef context_of(TextureRef texture) {
        return texture.state_ != nullptr ? texture.state_->context() : context_of_foreign_object();
    }
};

std::shared_ptr<const void> share_texture(TextureRef texture) {
    (void)texture.native_handle();
    return texture.state_ == nullptr ? nullptr : texture.state_->share();
}

}  // namespace detail

// ---- options -------------------------------------------------------------------------------------------------------------

namespace {

// The highest level of detail that an array can have on any device.
constexpr float max_level = 15;

driver::CUaddress_mode native(AddressMode mode) noexcept {
    switch (mode) {
        case AddressMode::wrap:
            return driver::CU_TR_ADDRESS_MODE_WRAP;
        case AddressMode::mirror:
            return driver::CU_TR_ADDRESS_MODE_MIRROR;
        case AddressMode::border:
            return driver::CU_TR_ADDRESS_MODE_BORDER;
        default:
            return driver::CU_TR_ADDRESS_MODE_CLAMP;
    }
}

AddressMode address_mode(driver::CUaddress_mode mode) noexcept {
    switch (mode) {
        case driver::CU_TR_ADDRESS_MODE_WRAP:
            return AddressMode::wrap;
        case driver::CU_TR_ADDRESS_MODE_MIRROR:
            return AddressMode::mirror;
        case driver::CU_TR_ADDRESS_MODE_BORDER:
            return AddressMode::border;
        default:
            return AddressMode::clamp;
    }
}

driver::CUfilter_mode native(FilterMode mode) noexcept {
    return mode == FilterMode::linear ? driver::CU_TR_FILTER_MODE_LINEAR : driver::CU_TR_FILTER_MODE_POINT;
}

FilterMode filter_mode(driver::CUfilter_mode mode) noexcept {
    return mode == driver::CU_TR_FILTER_MODE_LINEAR ? FilterMode::linear : FilterMode::point;
}

struct Flag {
    int native;
    bool is_set;
};

driver::CUDA_TEXTURE_DESC native(const TextureOptions& options, float last_level) noexcept {
    driver::CUDA_TEXTURE_DESC sampler{};
    const AddressModes& modes = options.address_mode;
    sampler.addressMode[0] = native(modes.x);
    sampler.addressMode[1] = native(modes.y);
    sampler.addressMode[2] = native(modes.z);
    sampler.filterMode = native(options.filter_mode);
    for (const Flag& flag :
         {Flag{driver::CU_TRSF_READ_AS_INTEGER, options.read_mode == ReadMode::element_type},
          Flag{driver::CU_TRSF_NORMALIZED_COORDINATES, options.normalized_coordinates}, Flag{driver::CU_TRSF_SRGB, options.srgb},
          Flag{driver::CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION, options.disable_trilinear_optimization},
          Flag{driver::CU_TRSF_SEAMLESS_CUBEMAP, options.seamless_cubemap}}) {
        if (flag.is_set) sampler.flags |= static_cast<unsigned int>(flag.native);
    }
    sampler.maxAnisotropy = options.max_anisotropy;
    sampler.mipmapFilterMode = native(options.mipmap_filter_mode);
    sampler.mipmapLevelBias = options.mipmap_level_bias;
    sampler.minMipmapLevelClamp = std::min(options.min_mipmap_level_clamp, last_level);
    sampler.maxMipmapLevelClamp = std::min(options.max_mipmap_level_clamp, last_level);
    std::copy(options.border_color.begin(), options.border_color.end(), sampler.borderColor);
    return sampler;
}

TextureOptions options_of(const driver::CUDA_TEXTURE_DESC& sampler) noexcept {
    const auto has = [&](int flag) { return (sampler.flags & static_cast<unsigned int>(flag)) != 0; };
    return {.address_mode = {address_mode(sampler.addressMode[0]), address_mode(sampler.addressMode[1]),
                             address_mode(sampler.addressMode[2])},
            .filter_mode = filter_mode(sampler.filterMode),
            .read_mode = has(driver::CU_TRSF_READ_AS_INTEGER) ? ReadMode::element_type : ReadMode::normalized_float,
            .normalized_coordinates = has(driver::CU_TRSF_NORMALIZED_COORDINATES),
            .srgb = has(driver::CU_TRSF_SRGB),
            .disable_trilinear_optimization = has(driver::CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION),
            .seamless_cubemap = has(driver::CU_TRSF_SEAMLESS_CUBEMAP),
            .max_anisotropy = sampler.maxAnisotropy,
            .mipmap_filter_mode = filter_mode(sampler.mipmapFilterMode),
            .mipmap_level_bias = sampler.mipmapLevelBias,
            .min_mipmap_level_clamp = sampler.minMipmapLevelClamp,
            .max_mipmap_level_clamp = sampler.maxMipmapLevelClamp,
            .border_color = {sampler.borderColor[0], sampler.borderColor[1], sampler.borderColor[2], sampler.borderColor[3]}};
}

// ---- creation ------------------------------------------------------------------------------------------------------------

// `describe()` returns the description of the resource. It is called only if the driver rejects the resource.
template <class Describe>
TextureRef create(ContextRef context, const driver::CUDA_RESOURCE_DESC& resource, const driver::CUDA_TEXTURE_DESC& sampler,
                  std::shared_ptr<const void> sampled, const Describe& describe) {
    auto state = std::make_shared<detail::TextureState>(context, std::move(sampled));
    const ScopedContext scope(context);
    const detail::RelaxedCaptureMode mode;
    const auto created = driver::cuTexObjectCreate(&resource, &sampler, nullptr);
    if (!created.ok()) {
        const bool is_refused = created.status == driver::CUDA_ERROR_INVALID_VALUE;
        detail::throw_with_advice({created.status}, is_refused ? detail::concat("The texture was of ", describe(), ".") : "");
    }
    return detail::TextureState::own(std::move(state), created.value);
}

TextureRef create(ArrayRef array, const TextureOptions& options) {
    const ArrayOptions described = array.options();
    detail::check_texture(options, described.format);
    driver::CUDA_RESOURCE_DESC resource{};
    resource.resType = driver::CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array.native_handle();
    return create(detail::context_of(array), resource, native(options, 0), detail::share(array),
                  [&] { return detail::describe(described); });
}

TextureRef create(MipmappedArrayRef array, const TextureOptions& options) {
    const ArrayOptions described = array.options();
    detail::check_texture(options, described.format);
    const auto* const state = detail::MipmappedArrayState::of(array);
    driver::CUDA_RESOURCE_DESC resource{};
    resource.resType = driver::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    resource.res.mipmap.hMipmappedArray = array.native_handle();
    const float last_level = state != nullptr ? static_cast<float>(state->levels().size() - 1) : max_level;
    const ContextRef context = state != nullptr ? state->context() : detail::context_of_foreign_object();
    return create(context, resource, native(options, last_level), detail::share(array),
                  [&] { return detail::concat(detail::describe(described), " with levels of detail"); });
}

Device device_of(const detail::TextureMemory& memory) {
    if (memory.buffer != nullptr) {
        if (const auto device = memory.buffer->device()) return *device;
    }
    return PointerAttributes::of(memory.address).device.value_or(Device());
}

TextureRef create(const detail::TextureMemory& memory, const TextureOptions& options) {
    const Device device = device_of(memory);
    detail::check_texture(options, memory.format);
    detail::check_texture_memory(memory, options, device);
    driver::CUDA_RESOURCE_DESC resource{};
    const std::size_t row = memory.width * memory.format.element_size();
    if (memory.height == 0) {
        resource.resType = driver::CU_RESOURCE_TYPE_LINEAR;
        resource.res.linear = {memory.address, memory.format.channel, memory.format.channels, row};
    } else {
        resource.resType = driver::CU_RESOURCE_TYPE_PITCH2D;
        resource.res.pitch2D = {memory.address, memory.format.channel, memory.format.channels,
                                memory.width,   memory.height,         memory.pitch};
    }
    auto sampled = memory.buffer != nullptr ? detail::share(*memory.buffer) : nullptr;
    const std::size_t size = memory.height == 0 ? row : memory.height * memory.pitch;
    return create(device.context(), resource, native(options, 0), std::move(sampled), [&] {
        return detail::describe("linear memory", {memory.address, size, memory.buffer});
    });
}

// Returns the elements of a buffer. Throws std::invalid_argument if the size of the buffer is not a multiple of the size of an
// element.
detail::TextureMemory elements_of(const Buffer& buffer, ArrayFormat format) {
    const std::size_t unit = format.element_size();
    if (unit == 0 || buffer.size() % unit != 0) {
        detail::throw_misuse("a texture of a buffer of ", buffer.size(), " bytes cannot have elements of ", unit, " bytes");
    }
    return {buffer.native_handle(), &buffer, format, buffer.size() / unit, 0, 0};
}

}  // namespace

// ---- the view and the owner ----------------------------------------------------------------------------------------------

TextureOptions TextureRef::options() const {
    const Handle handle = native_handle();
    const ScopedContext scope(detail::TextureState::context_of(*this));
    return options_of(check(driver::cuTexObjectGetTextureDesc(handle)));
}

driver::CUDA_RESOURCE_DESC TextureRef::resource() const {
    const Handle handle = native_handle();
    const ScopedContext scope(detail::TextureState::context_of(*this));
    return check(driver::cuTexObjectGetResourceDesc(handle));
}

Device TextureRef::device() const {
    (void)native_handle();
    return detail::device_of(state_, "a texture");
}

void TextureRef::destroy() const {
    state_->close();
}

void TextureRef::destroy_quietly() const noexcept {
    state_->drop();
}

TextureRef::Handle TextureRef::release_handle() const noexcept {
    const Handle handle = handle_;
    if (state_ != nullptr) state_->disown();
    return handle;
}

TextureObject::TextureObject(ArrayRef array, const TextureOptions& options) : Owner(create(array, options)) {}

TextureObject::TextureObject(MipmappedArrayRef array, const TextureOptions& options) : Owner(create(array, options)) {}

TextureObject::TextureObject(const Buffer& elements, ArrayFormat format, const TextureOptions& options)
    : TextureObject(elements_of(elements, format), options) {}

TextureObject::TextureObject(const detail::TextureMemory& memory, const TextureOptions& options)
    : Owner(create(memory, options)) {}

TextureObject TextureObject::from_native_handle(Handle handle) {
    (void)TextureRef(handle).native_handle();
    auto state = std::make_shared<detail::TextureState>(detail::context_of_foreign_object(), nullptr);
    return TextureObject(detail::TextureState::own(std::move(state), handle));
}

}  // namespace CUBIND_NAMESPACE

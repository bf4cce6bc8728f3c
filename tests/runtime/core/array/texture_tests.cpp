// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/array/surface.hpp>
#include <cubind/core/array/texture.hpp>
#include <cubind/core/device/device_properties.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/driver/constants.hpp>

#include <thread>
#include <unordered_set>

#include "array_test.hpp"

namespace cubind::testing {
namespace {

class TextureTest : public ArraysTest {
protected:
    template <class Operation>
    static std::string mistake(Operation operation) {
        return message_of<std::invalid_argument>(operation);
    }
    static bool exists(driver::CUtexObject texture) {
        const layers::Unobserved own_call;
        const ScopedContext scope(Device(0).context());  // some context must be current
        return driver::cuTexObjectGetTextureDesc(texture).ok();
    }
    static bool exists(driver::CUsurfObject surface, int) {
        const layers::Unobserved own_call;
        const ScopedContext scope(Device(0).context());  // some context must be current
        return driver::cuSurfObjectGetResourceDesc(surface).ok();
    }

    Stream stream{device};
    Array image{device, {.format = ArrayFormat::of<float>(), .width = 8, .height = 8, .surface_load_store = true}};
};

// ---- what they refer to --------------------------------------------------------------------------------------------------

TEST_F(TextureTest, KnowsItsDeviceAndItsMemory) {
    const Device second(1);
    const Array there(second, {.format = ArrayFormat::of<float>(), .width = 8, .height = 8, .surface_load_store = true});
    const MipmappedArray levels(second, {.format = ArrayFormat::of<float>(), .width = 8, .height = 8});
    const TextureObject texture(there);
    const SurfaceObject surface(there);
    EXPECT_EQ(there.device(), second);
    EXPECT_EQ(levels.device(), second);
    EXPECT_EQ(levels.level(1).device(), second);
    EXPECT_EQ(texture.device(), second);
    EXPECT_EQ(surface.device(), second);
    EXPECT_EQ(texture.resource().resType, driver::CU_RESOURCE_TYPE_ARRAY);
    EXPECT_EQ(texture.resource().res.array.hArray, there.native_handle());
    EXPECT_EQ(surface.resource().res.array.hArray, there.native_handle());
    EXPECT_EQ(TextureObject(levels).resource().res.mipmap.hMipmappedArray, levels.native_handle());
    EXPECT_THAT(mistake([&] { (void)ArrayRef(there.native_handle()).device(); }), HasSubstr("an array that cubind does not own"));
    EXPECT_THAT(mistake([&] { (void)MipmappedArrayRef(levels.native_handle()).device(); }), HasSubstr("a mipmapped array"));
    EXPECT_THAT(mistake([&] { (void)TextureRef(texture.native_handle()).device(); }), HasSubstr("a texture"));
    EXPECT_THAT(mistake([&] { (void)SurfaceRef(surface.native_handle()).device(); }), HasSubstr("a surface"));
}

// ---- options -------------------------------------------------------------------------------------------------------------

TEST_F(TextureTest, ConvertsEachOption) {
    const TextureOptions options{.address_mode = {AddressMode::wrap, AddressMode::mirror, AddressMode::border},
                                 .filter_mode = FilterMode::linear,
                                 .read_mode = ReadMode::normalized_float,
                                 .normalized_coordinates = true,
                                 .srgb = true,
                                 .disable_trilinear_optimization = true,
                                 .seamless_cubemap = true,
                                 .max_anisotropy = 16,
                                 .mipmap_filter_mode = FilterMode::linear,
                                 .mipmap_level_bias = 0.5f,
                                 .min_mipmap_level_clamp = 1,
                                 .max_mipmap_level_clamp = 2,
                                 .border_color = {1, 2, 3, 4}};
    MipmappedArray mipmapped(device, {.format = ArrayFormat::of<unsigned char>(), .width = 16, .height = 16, .cubemap = true});
    const TextureObject texture(mipmapped, options);
    EXPECT_EQ(texture.options(), options);
    EXPECT_FALSE(ContextRef::current());
    const ScopedContext scope(device.context());
    const auto native = check(driver::cuTexObjectGetTextureDesc(texture.native_handle()));
    EXPECT_EQ(native.addressMode[0], driver::CU_TR_ADDRESS_MODE_WRAP);
    EXPECT_EQ(native.addressMode[1], driver::CU_TR_ADDRESS_MODE_MIRROR);
    EXPECT_EQ(native.addressMode[2], driver::CU_TR_ADDRESS_MODE_BORDER);
    EXPECT_EQ(native.filterMode, driver::CU_TR_FILTER_MODE_LINEAR);
    EXPECT_EQ(native.flags, unsigned{driver::CU_TRSF_NORMALIZED_COORDINATES} | driver::CU_TRSF_SRGB |
                                driver::CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | driver::CU_TRSF_SEAMLESS_CUBEMAP);
    EXPECT_EQ(native.maxAnisotropy, 16u);
    EXPECT_EQ(native.mipmapFilterMode, driver::CU_TR_FILTER_MODE_LINEAR);
    EXPECT_THAT(native.borderColor, ElementsAre(1, 2, 3, 4));
    const auto resource = check(driver::cuTexObjectGetResourceDesc(texture.native_handle()));
    EXPECT_EQ(resource.res.mipmap.hMipmappedArray, mipmapped.native_handle());
    const auto plain = check(driver::cuTexObjectGetTextureDesc(TextureObject(image).native_handle()));
    EXPECT_EQ(plain.flags, unsigned{driver::CU_TRSF_READ_AS_INTEGER});
    EXPECT_EQ(plain.addressMode[1], driver::CU_TR_ADDRESS_MODE_CLAMP);
    EXPECT_EQ(plain.maxMipmapLevelClamp, 0);
    EXPECT_EQ(TextureObject(mipmapped).options().max_mipmap_level_clamp, 4) << "the last level";
}

TEST_F(TextureTest, RejectsOptionsThatDoNotSuitEachOther) {
    const Array integers(device, {.format = ArrayFormat::of<int>(), .width = 8, .height = 8});
    const Array shorts(device, {.format = ArrayFormat::of<short>(), .width = 8, .height = 8});
    EXPECT_THAT(mistake([&] { (void)TextureObject(image, {.address_mode = AddressMode::wrap}); }),
                HasSubstr("normalized_coordinates"));
    EXPECT_THAT(mistake([&] {
                    (void)TextureObject(image, {.address_mode = {AddressMode::clamp, AddressMode::mirror}});
                }),
                HasSubstr("normalized_coordinates"));
    EXPECT_THAT(mistake([&] { (void)TextureObject(integers, {.filter_mode = FilterMode::linear}); }),
                AllOf(HasSubstr("CU_AD_FORMAT_SIGNED_INT32"), HasSubstr("FilterMode::point")));
    EXPECT_THAT(mistake([&] { (void)TextureObject(shorts, {.filter_mode = FilterMode::linear}); }),
                AllOf(HasSubstr("CU_AD_FORMAT_SIGNED_INT16"), HasSubstr("normalized_float")));
    EXPECT_THAT(mistake([&] { (void)TextureObject(integers, {.read_mode = ReadMode::normalized_float}); }),
                AllOf(HasSubstr("CU_AD_FORMAT_SIGNED_INT32"), HasSubstr("element_type")));
    EXPECT_THAT(mistake([&] { (void)TextureObject(shorts, {.srgb = true}); }), HasSubstr("CU_AD_FORMAT_UNSIGNED_INT8"));
    EXPECT_THAT(mistake([&] { (void)TextureObject(image, {.max_anisotropy = 17}); }), AllOf(HasSubstr("17"), HasSubstr("16")));
    EXPECT_THAT(mistake([&] { (void)TextureObject(image, {.min_mipmap_level_clamp = 2, .max_mipmap_level_clamp = 1}); }),
                HasSubstr("min_mipmap_level_clamp is 2"));
    (void)TextureObject(shorts, {.filter_mode = FilterMode::linear, .read_mode = ReadMode::normalized_float});
}

// ---- linear memory -------------------------------------------------------------------------------------------------------

TEST_F(TextureTest, RejectsLinearMemoryThatTheDeviceCannotSample) {
    const TypedBuffer<float> elements = device.allocate<float>(stream, 256);
    const driver::CUdeviceptr address = elements.native_handle();
    const ArrayFormat floats = ArrayFormat::of<float>();
    EXPECT_THAT(mistake([&] { (void)TextureObject(Buffer::view_of(address + 16, 16), floats); }),
                AllOf(HasSubstr("16 bytes past a multiple of 512"), HasSubstr("texture_alignment")));
    EXPECT_THAT(mistake([&] { (void)TextureObject(elements, {.filter_mode = FilterMode::linear}); }), HasSubstr("Array"));
    EXPECT_THAT(mistake([&] { (void)TextureObject(elements, {.normalized_coordinates = true}); }),
                HasSubstr("integer coordinates"));
    EXPECT_THAT(mistake([&] { (void)TextureObject(Buffer::view_of(address, 18), floats); }),
                AllOf(HasSubstr("18 bytes"), HasSubstr("4 bytes")));
    const std::size_t many = (std::size_t{1} << 33) + 4;
    EXPECT_THAT(mistake([&] { (void)TextureObject(Buffer::view_of(address, many), floats); }),
                AllOf(HasSubstr("2147483649"), HasSubstr("maximum_texture1d_linear_width")));
    float* const data = elements.span().data();
    EXPECT_THAT(mistake([&] { (void)TextureObject(PitchedSpan<float>(data, {8, 8}, 24)); }), HasSubstr("pitch of 24"));
    EXPECT_THAT(mistake([&] {
                    (void)TextureObject(PitchedSpan<float>(data, {4, 8}, 16));
                }),
                AllOf(HasSubstr("pitch 16"), HasSubstr("multiple of 32")));
    EXPECT_THAT(mistake([&] {
                    (void)TextureObject(PitchedSpan<float>(data, {8, 1 << 20}, 32));
                }),
                AllOf(HasSubstr("height of 1048576"), HasSubstr("maximum_texture2d_linear_height")));
    EXPECT_THAT(message_of<Error>([&] {
                    float* const unmapped = reinterpret_cast<float*>(std::uintptr_t{512});
                    (void)TextureObject(PitchedSpan<float>(unmapped, {8, 8}, 32));
                }),
                AllOf(HasSubstr("cuTexObjectCreate"), HasSubstr("linear memory")));
}

TEST_F(TextureTest, SamplesMemoryOfAnotherDevice) {
    const Stream on_other(Device(1));
    const TypedBuffer<float> there = Device(1).allocate<float>(on_other, 16);
    const TextureObject texture(there);
    EXPECT_TRUE(exists(texture.native_handle()));
    const PitchedBuffer<float> on_host(LegacyPinnedMemoryResource(), stream, {.width = 8, .height = 8});
    const TextureObject of_host(on_host);
    EXPECT_FALSE(ContextRef::current());
}

// ---- lifetime ------------------------------------------------------------------------------------------------------------

TEST_F(TextureTest, RetainsWhatItSamples) {
    const driver::CUarray handle = image.native_handle();
    const auto array_exists = [&] {
        const layers::Unobserved own_call;
        return driver::cuArray3DGetDescriptor(handle).ok();
    };
    TextureObject texture(image);
    SurfaceObject surface(image);
    image.close();
    EXPECT_TRUE(array_exists());
    texture.close();
    EXPECT_TRUE(array_exists());
    surface.close();
    EXPECT_FALSE(array_exists());

    TypedBuffer<float> elements = device.allocate<float>(stream, 16);
    const driver::CUdeviceptr address = elements.native_handle();
    TextureObject fetched(elements);
    elements.close();
    stream.synchronize();
    EXPECT_TRUE(driver::cuMemcpyAsync(address, address, 16, stream.native_handle()).ok());
    fetched.close();
    stream.synchronize();
    const layers::Unobserved own_call;
    EXPECT_FALSE(driver::cuMemcpyAsync(address, address, 16, stream.native_handle()).ok());
}

TEST_F(TextureTest, OwnsTheHandle) {
    TextureObject texture(image);
    const driver::CUtexObject handle = texture.native_handle();
    TextureObject moved = std::move(texture);
    EXPECT_TRUE(texture.is_closed());
    EXPECT_THROW((void)texture.native_handle(), std::invalid_argument);
    EXPECT_THROW((void)texture.options(), std::invalid_argument);
    EXPECT_EQ(moved.release(), handle);
    EXPECT_TRUE(exists(handle));
    std::thread([&] { TextureObject::from_native_handle(handle).close(); }).join();
    EXPECT_FALSE(exists(handle));
    EXPECT_THROW((void)TextureObject::from_native_handle(0), std::invalid_argument);
    std::unordered_set<TextureObject> textures;
    textures.insert(TextureObject(image));
    textures.insert(TextureObject());
    EXPECT_EQ(textures.size(), 2u);

    SurfaceObject surface(image);
    const driver::CUsurfObject native = surface.native_handle();
    SurfaceObject moved_surface = std::move(surface);
    EXPECT_THROW((void)surface.native_handle(), std::invalid_argument);
    EXPECT_EQ(moved_surface.release(), native);
    EXPECT_TRUE(exists(native, 0));
    SurfaceObject::from_native_handle(native).close();
    EXPECT_FALSE(exists(native, 0));
    EXPECT_THROW((void)SurfaceObject::from_native_handle(0), std::invalid_argument);
    std::unordered_set<SurfaceObject> surfaces;
    surfaces.insert(SurfaceObject(image));
    EXPECT_EQ(surfaces.size(), 1u);
}

TEST_F(TextureTest, IsDestroyedAfterItsContext) {
    Context context(device);
    Array array(context, image.options());
    TextureObject texture(array);
    SurfaceObject surface(array);
    context.close();
    texture.close();
    surface.close();
    array.close();
    FailedCalls::get().forget();  // the queries whether the context exists
}

TEST_F(TextureTest, IsCreatedAndDestroyedDuringCaptures) {
    check(driver::cuStreamBeginCapture(stream.native_handle(), driver::CU_STREAM_CAPTURE_MODE_GLOBAL));
    TextureObject(image).close();
    SurfaceObject(image).close();
    check(driver::cuGraphDestroy(check(driver::cuStreamEndCapture(stream.native_handle()))));
}

// ---- surfaces ------------------------------------------------------------------------------------------------------------

TEST_F(TextureTest, CreatesSurfacesOfLevels) {
    MipmappedArray mipmapped(device, {.format = ArrayFormat::of<int>(), .width = 8, .height = 8, .surface_load_store = true});
    const SurfaceObject surface(mipmapped.level(1));
    const ScopedContext scope(device.context());
    const auto resource = check(driver::cuSurfObjectGetResourceDesc(surface.native_handle()));
    EXPECT_EQ(resource.res.array.hArray, mipmapped.level(1).native_handle());
}

TEST_F(TextureTest, RejectsSurfacesOfArraysWithoutLoadStore) {
    const Array plain(device, {.format = ArrayFormat::of<float>(), .width = 8, .height = 4});
    EXPECT_THAT(mistake([&] { (void)SurfaceObject(plain); }), AllOf(HasSubstr("8 x 4"), HasSubstr("surface_load_store")));
}

TEST_F(TextureTest, SweepReportsEachFailure) {
    device.set_current();
    const std::vector<std::string> tolerated{"cuCtxGetCurrent"};  // then the primary context is used
    sweep([&] { TextureObject(image).close(); }, tolerated);
    sweep([&] { (void)TextureObject(image); }, tolerated);
    sweep([&] { SurfaceObject(image).close(); }, tolerated);
    const MipmappedArray mipmapped(device, {.width = 8, .height = 8});
    sweep([&] { (void)TextureObject(mipmapped); }, tolerated);
    const TextureObject texture(image);
    sweep([&] { (void)texture.options(); }, tolerated);
    sweep([&] { (void)texture.resource(); }, tolerated);
    const SurfaceObject surface(image);
    sweep([&] { (void)surface.resource(); }, tolerated);
    const auto rows = device.allocate_pitched<float>(stream, {.width = 8, .height = 8});
    const std::size_t calls = sweep([&] { (void)TextureObject(rows); }, tolerated);
    EXPECT_GT(sweep([&] { (void)TextureObject(rows.span()); }, tolerated), calls) << "the device of the memory is queried";
}

}  // namespace
}  // namespace cubind::testing

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/core/array/array.hpp>
#include <cubind/driver/constants.hpp>
#include <cubind/driver/context.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/driver/stream.hpp>
#include <cubind/driver/strings.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <thread>
#include <unordered_set>

#include "array_test.hpp"

namespace cubind::testing {
namespace {

// ---- formats -------------------------------------------------------------------------------------------------------------

struct Float4 {
    float x, y, z, w;
};
struct UChar2 {
    unsigned char x, y;
};

static_assert(ArrayFormat::of<float>() == ArrayFormat{driver::CU_AD_FORMAT_FLOAT, 1});
static_assert(ArrayFormat::of<const Float4>() == ArrayFormat{driver::CU_AD_FORMAT_FLOAT, 4});
static_assert(ArrayFormat::of<UChar2>() == ArrayFormat{driver::CU_AD_FORMAT_UNSIGNED_INT8, 2});
static_assert(ArrayFormat::of<std::array<short, 4>>() == ArrayFormat{driver::CU_AD_FORMAT_SIGNED_INT16, 4});
static_assert(ArrayFormat::of<signed char>() == ArrayFormat{driver::CU_AD_FORMAT_SIGNED_INT8, 1});
static_assert(ArrayFormat::of<unsigned short>() == ArrayFormat{driver::CU_AD_FORMAT_UNSIGNED_INT16, 1});
static_assert(ArrayFormat::of<int>() == ArrayFormat{driver::CU_AD_FORMAT_SIGNED_INT32, 1});
static_assert(ArrayFormat::of<unsigned int>() == ArrayFormat{driver::CU_AD_FORMAT_UNSIGNED_INT32, 1});
static_assert(ArrayFormat::half(2) == ArrayFormat{driver::CU_AD_FORMAT_HALF, 2});

TEST(ArrayFormatTest, ReturnsTheSizeOfAnElement) {
    EXPECT_EQ(ArrayFormat::of<Float4>().element_size(), 16u);
    EXPECT_EQ(ArrayFormat::of<UChar2>().element_size(), 2u);
    EXPECT_EQ(ArrayFormat::half(4).element_size(), 8u);
    EXPECT_EQ((ArrayFormat{driver::CU_AD_FORMAT_UNORM_INT8X1, 1}).element_size(), 1u);
    EXPECT_EQ((ArrayFormat{driver::CU_AD_FORMAT_UNORM_INT16X2, 2}).element_size(), 4u);
    EXPECT_EQ((ArrayFormat{driver::CU_AD_FORMAT_SNORM_INT8X4, 4}).element_size(), 4u);
    EXPECT_EQ((ArrayFormat{driver::CU_AD_FORMAT_SNORM_INT16X4, 4}).element_size(), 8u);
    EXPECT_EQ((ArrayFormat{driver::CU_AD_FORMAT_BC1_UNORM, 4}).element_size(), 8u);
    EXPECT_EQ((ArrayFormat{driver::CU_AD_FORMAT_BC7_UNORM, 4}).element_size(), 16u);
    EXPECT_EQ((ArrayFormat{driver::CU_AD_FORMAT_UNORM_INT_101010_2, 4}).element_size(), 4u);
    EXPECT_EQ((ArrayFormat{driver::CU_AD_FORMAT_NV12, 3}).element_size(), 0u);
}

// ---- creation ------------------------------------------------------------------------------------------------------------

using ArrayTest = ArraysTest;
constexpr ArrayFormat floats = ArrayFormat::of<float>();

struct Shape {
    ArrayOptions options;
    std::size_t native_height, native_depth;
    unsigned int native_flags;
    Extent3D extent;
};

const Shape shapes[] = {
    {{.format = floats, .width = 7}, 0, 0, 0, {7, 1, 1}},
    {{.format = floats, .width = 7, .height = 5}, 5, 0, 0, {7, 5, 1}},
    {{.format = floats, .width = 7, .height = 5, .depth = 3}, 5, 3, 0, {7, 5, 3}},
    {{.format = floats, .width = 7, .layers = 3}, 0, 3, driver::CUDA_ARRAY3D_LAYERED, {7, 1, 3}},
    {{.format = floats, .width = 7, .height = 5, .layers = 1}, 5, 1, driver::CUDA_ARRAY3D_LAYERED, {7, 5, 1}},
    {{.format = floats, .width = 8, .height = 8, .cubemap = true}, 8, 6, driver::CUDA_ARRAY3D_CUBEMAP, {8, 8, 6}},
    {{.format = floats, .width = 8, .height = 8, .layers = 2, .cubemap = true},
     8,
     12,
     unsigned{driver::CUDA_ARRAY3D_CUBEMAP} | driver::CUDA_ARRAY3D_LAYERED,
     {8, 8, 12}},
    {{.format = ArrayFormat::of<Float4>(), .width = 7, .height = 5, .surface_load_store = true, .texture_gather = true},
     5,
     0,
     unsigned{driver::CUDA_ARRAY3D_SURFACE_LDST} | driver::CUDA_ARRAY3D_TEXTURE_GATHER,
     {7, 5, 1}},
};

TEST_F(ArrayTest, HasTheShapeFormatAndFlags) {
    for (const Shape& shape : shapes) {
        const Array array = device.create_array(shape.options);
        EXPECT_EQ(array.options(), shape.options);
        EXPECT_EQ(array.extent(), shape.extent);
        EXPECT_EQ(array.flags(), shape.native_flags);
        EXPECT_EQ(array.format(), shape.options.format);
        const Extent3D e = shape.extent;
        EXPECT_EQ(array.size_bytes(), shape.options.format.element_size() * e.width * e.height * e.depth);
        const auto native = check(driver::cuArray3DGetDescriptor(array.native_handle()));
        EXPECT_EQ(native.Width, shape.options.width);
        EXPECT_EQ(native.Height, shape.native_height);
        EXPECT_EQ(native.Depth, shape.native_depth);
        EXPECT_EQ(native.Flags, shape.native_flags);
        EXPECT_EQ(native.Format, shape.options.format.channel);
        EXPECT_EQ(native.NumChannels, shape.options.format.channels);
        const ArrayRef foreign = array.native_handle();  // a view without state queries the driver
        EXPECT_EQ(foreign.options(), shape.options);
        EXPECT_EQ(foreign.extent(), shape.extent);
        EXPECT_EQ(foreign, array);
    }
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(ArrayTest, CountsBlocksOfCompressedFormats) {
    const Array array(device, {.format = {driver::CU_AD_FORMAT_BC1_UNORM, 4}, .width = 10, .height = 6});
    EXPECT_EQ(array.size_bytes(), 8u * 3 * 2);
}

TEST_F(ArrayTest, CreatesArraysWithoutMemory) {
    for (const bool sparse : {false, true}) {
        const ArrayOptions options{.format = floats, .width = 64, .height = 64, .sparse = sparse, .deferred_mapping = !sparse};
        EXPECT_EQ(Array(device, options).options(), options);
    }
}

TEST_F(ArrayTest, RejectsImpossibleOptions) {
    const auto message = [&](const ArrayOptions& options) {
        return message_of<std::invalid_argument>([&] { (void)Array(device, options); });
    };
    EXPECT_THAT(message({}), HasSubstr("width is 0"));
    EXPECT_THAT(message({.width = 4, .depth = 3}), AllOf(HasSubstr("depth is 3"), HasSubstr("height is 0")));
    EXPECT_THAT(message({.width = 4, .height = 4, .depth = 3, .layers = 2}),
                AllOf(HasSubstr("depth is 3"), HasSubstr("2 layers")));
    EXPECT_THAT(message({.width = 4, .height = 5, .cubemap = true}), AllOf(HasSubstr("width 4"), HasSubstr("height 5")));
    EXPECT_THAT(message({.width = 4, .height = 4, .depth = 6, .cubemap = true}), HasSubstr("depth 6"));
    const std::size_t wrapping = (std::size_t{1} << 63) + 1;  // has 6 faces modulo 2^64
    EXPECT_THAT(message({.width = 4, .height = 4, .layers = wrapping, .cubemap = true}), HasSubstr(std::to_string(wrapping)));
    EXPECT_THAT(message({.width = 4, .texture_gather = true}), AllOf(HasSubstr("texture_gather"), HasSubstr("height 0")));
    EXPECT_THAT(message({.format = {driver::CU_AD_FORMAT_FLOAT, 3}, .width = 4}),
                AllOf(HasSubstr("CU_AD_FORMAT_FLOAT"), HasSubstr("3 channels"), HasSubstr("1, 2 or 4")));
}

TEST_F(ArrayTest, StatesTheExceededLimit) {
    const auto message = [&](const ArrayOptions& options) { return message_of<Error>([&] { (void)Array(device, options); }); };
    EXPECT_THAT(message({.format = floats, .width = 1'000'000}),
                AllOf(HasSubstr("cuArray3DCreate"), HasSubstr("width is 1000000"), HasSubstr("at most 131072")));
    EXPECT_THAT(message({.format = floats, .width = 8, .height = 8, .layers = 5000}),
                AllOf(HasSubstr("number of layers is 5000"), HasSubstr("at most 2048")));
    EXPECT_THAT(message({.format = floats, .width = 8, .layers = 5000}), HasSubstr("number of layers is 5000"));
    EXPECT_THAT(message({.format = floats, .width = 40000, .height = 40000, .cubemap = true}), HasSubstr("width is 40000"));
    EXPECT_THAT(message({.format = floats, .width = 8, .height = 8, .layers = 400, .cubemap = true}),
                AllOf(HasSubstr("number of faces is 2400"), HasSubstr("at most 2046")));
    EXPECT_THAT(message({.format = floats, .width = 8, .height = 8, .depth = 100000}), HasSubstr("depth is 100000"));
    EXPECT_THAT(message({.format = floats, .width = 8, .height = 100000}), HasSubstr("height is 100000"));
    EXPECT_THAT(message({.format = floats, .width = 40000, .height = 8, .texture_gather = true}), HasSubstr("width is 40000"));
    EXPECT_THAT(message({.format = {driver::CU_AD_FORMAT_BC1_UNORM, 2}, .width = 8, .height = 8}),
                AllOf(HasSubstr("8 x 8"), HasSubstr("CU_AD_FORMAT_BC1_UNORM, 2 channels")));
    EXPECT_THROW((void)Array(device, {.format = ArrayFormat::of<Float4>(), .width = 16384, .height = 16384, .depth = 16}),
                 OutOfMemory);
}

// ---- lifetime ------------------------------------------------------------------------------------------------------------

const ArrayOptions small{.format = floats, .width = 4, .height = 4};

bool exists(driver::CUarray array) {
    const layers::Unobserved own_call;
    return driver::cuArray3DGetDescriptor(array).ok();
}

TEST_F(ArrayTest, DestroysTheHandleOnce) {
    Array array(device, small);
    const driver::CUarray handle = array.native_handle();
    Array moved = std::move(array);
    EXPECT_TRUE(array.is_closed());
    EXPECT_THROW((void)array.options(), std::invalid_argument);
    EXPECT_THROW((void)array.native_handle(), std::invalid_argument);
    EXPECT_EQ(moved.native_handle(), handle);
    moved.close();
    EXPECT_TRUE(moved.is_closed());
    EXPECT_FALSE(exists(handle));
    moved.close();
    moved = Array(device, small);
    const driver::CUarray replaced = moved.native_handle();
    moved = Array(device, small);
    EXPECT_FALSE(exists(replaced));
}

TEST_F(ArrayTest, ReleasesAndTakesOwnership) {
    Array array(device, small);
    const driver::CUarray handle = array.release();
    EXPECT_TRUE(array.is_closed() && exists(handle));
    EXPECT_EQ(Array().release(), nullptr);
    {
        const Array taken = Array::from_native_handle(handle);
        EXPECT_EQ(taken.options(), small);
    }
    EXPECT_FALSE(exists(handle));
    EXPECT_THROW((void)Array::from_native_handle(nullptr), std::invalid_argument);
}

TEST_F(ArrayTest, IsRetainedBySharedReferences) {
    Array array(device, small);
    const driver::CUarray handle = array.native_handle();
    std::shared_ptr<const void> retained = detail::share(array);
    array.close();
    EXPECT_TRUE(exists(handle));
    retained.reset();
    EXPECT_FALSE(exists(handle));
    Array released(device, small);
    retained = detail::share(released);
    const driver::CUarray own = released.release();
    retained.reset();
    EXPECT_TRUE(exists(own));
    check(driver::cuArrayDestroy(own));
}

TEST_F(ArrayTest, IsDestroyedOnAnyThreadWithAnyContext) {
    for (const ContextRef current : {ContextRef(), Device(0).primary_context(), Device(1).primary_context()}) {
        Array array(device, small);
        const driver::CUarray handle = array.native_handle();
        std::thread([&] {
            current.set_current();
            array.close();
            EXPECT_EQ(ContextRef::current(), current);
        }).join();
        EXPECT_FALSE(exists(handle));
    }
}

TEST_F(ArrayTest, IsDestroyedAfterItsContext) {
    Context context(device);
    Array array(context, small);
    EXPECT_EQ(check(driver::cuArray3DGetDescriptor(array.native_handle())).Width, 4u);
    context.close();
    FailedCalls::get().forget();
    array.close();
    FailedCalls::get().forget();  // the query whether the context exists
}

TEST_F(ArrayTest, IsCreatedAndDestroyedDuringCaptures) {
    const Stream stream(device);
    check(driver::cuStreamBeginCapture(stream.native_handle(), driver::CU_STREAM_CAPTURE_MODE_GLOBAL));
    device.create_array(small).close();
    check(driver::cuGraphDestroy(check(driver::cuStreamEndCapture(stream.native_handle()))));
}

TEST_F(ArrayTest, HasAHash) {
    std::unordered_set<Array> arrays;
    arrays.insert(Array(device, small));
    arrays.insert(Array());
    EXPECT_EQ(arrays.size(), 2u);
    EXPECT_TRUE(std::unordered_set<ArrayRef>{ArrayRef(*arrays.begin())}.contains(*arrays.begin()));
}

TEST_F(ArrayTest, SweepReportsEachFailure) {
    device.set_current();
    EXPECT_LE(sweep([&] { Array(device, small).close(); }, {"cuCtxGetCurrent"}), 10u);
    Array array(device, small);
    const ArrayRef foreign = array.native_handle();
    sweep([&] { (void)foreign.options(); }, {"cuCtxGetCurrent"});
    const driver::CUarray handle = array.release();
    sweep([&] { (void)Array::from_native_handle(handle).release(); }, {"cuCtxGetCurrent"});
    check(driver::cuArrayDestroy(handle));
}

}  // namespace
}  // namespace cubind::testing

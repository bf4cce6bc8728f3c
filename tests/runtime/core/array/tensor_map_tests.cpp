// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Tensor maps. A layer records the arguments of the calls of the simulated driver.

#include <cubind/core/array/tensor_map.hpp>
#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/layers/faults.hpp>
#include <cubind/sim/kernels.hpp>

#include <optional>
#include <string_view>

#include "array_test.hpp"

namespace cubind::testing {
namespace {

static_assert(tensor_data_type<float> == driver::CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
static_assert(tensor_data_type<double> == driver::CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
static_assert(tensor_data_type<unsigned char> == driver::CU_TENSOR_MAP_DATA_TYPE_UINT8);
static_assert(tensor_data_type<unsigned short> == driver::CU_TENSOR_MAP_DATA_TYPE_UINT16);
static_assert(tensor_data_type<int> == driver::CU_TENSOR_MAP_DATA_TYPE_INT32);
static_assert(tensor_data_type<unsigned int> == driver::CU_TENSOR_MAP_DATA_TYPE_UINT32);
static_assert(tensor_data_type<long long> == driver::CU_TENSOR_MAP_DATA_TYPE_INT64);
static_assert(tensor_data_type<unsigned long> == driver::CU_TENSOR_MAP_DATA_TYPE_UINT64);
static_assert(sizeof(TensorMap) == 128 && alignof(TensorMap) >= 64 && std::is_trivially_copyable_v<TensorMap>);

/// Records the arguments of the calls that encode tensor maps.
class TensorMapCalls final : public layers::Layer {
public:
    void handle(const Call& call, const layers::Next& next) noexcept override {
        const std::string_view symbol = call.function.symbol;
        next(call);
        if (!symbol.starts_with("cuTensorMap")) return;
        ++calls;
        if (symbol == "cuTensorMapReplaceAddress") return;
        type = *static_cast<const driver::CUtensorMapDataType*>(call.arguments[1]);
        rank = *static_cast<const driver::cuuint32_t*>(call.arguments[2]);
        shape = list<driver::cuuint64_t>(call, 4, rank);
        strides = list<driver::cuuint64_t>(call, 5, rank - 1);
        if (symbol == "cuTensorMapEncodeTiled") {
            box = list<driver::cuuint32_t>(call, 6, rank);
            element_strides = list<driver::cuuint32_t>(call, 7, rank);
            enumerators = numbers(call, 8, 4);
        } else if (symbol == "cuTensorMapEncodeIm2col") {
            lower = list<int>(call, 6, rank - 2);
            upper = list<int>(call, 7, rank - 2);
            columns = numbers(call, 8, 2);
            element_strides = list<driver::cuuint32_t>(call, 10, rank);
            enumerators = numbers(call, 11, 4);
        } else {
            lower = {*static_cast<const int*>(call.arguments[6])};
            upper = {*static_cast<const int*>(call.arguments[7])};
            columns = numbers(call, 8, 2);
            element_strides = list<driver::cuuint32_t>(call, 10, rank);
            enumerators = numbers(call, 11, 5);
        }
    }

    int calls = 0;
    driver::CUtensorMapDataType type{};
    driver::cuuint32_t rank = 0;
    std::vector<driver::cuuint64_t> shape, strides;
    std::vector<driver::cuuint32_t> box, element_strides, columns, enumerators;
    std::vector<int> lower, upper;

private:
    template <class Number>
    static std::vector<Number> list(const Call& call, std::size_t argument, std::size_t count) {
        const Number* const first = *static_cast<const Number* const*>(call.arguments[argument]);
        return {first, first + count};
    }
    static std::vector<driver::cuuint32_t> numbers(const Call& call, std::size_t first, std::size_t count) {
        std::vector<driver::cuuint32_t> values;
        for (std::size_t i = 0; i < count; ++i) {
            values.push_back(*static_cast<const driver::cuuint32_t*>(call.arguments[first + i]));
        }
        return values;
    }
};

class TensorMapTest : public ArraysTest {
protected:
    void SetUp() override {
        ArraysTest::SetUp();
        (void)device.primary_context();
        layers::push(driver_);
    }
    void TearDown() override {
        layers::remove(driver_);
        ArraysTest::TearDown();
    }

    // Returns the message for a layout that must not reach the driver.
    std::string mistake(const TensorLayout& layout, const TensorExtents& box = {16, 1}) {
        const std::string message = message_of<std::invalid_argument>([&] { (void)TensorMap::tiled(layout, box); });
        EXPECT_EQ(driver_.calls, 0) << message;
        return message;
    }
    static TensorLayout matrix() { return {.address = 4096, .type = tensor_data_type<float>, .shape = {256, 64}}; }
    static TensorLayout images() {  // channels, width, height, images
        return {.address = 4096, .type = tensor_data_type<float>, .shape = {64, 32, 16, 8}};
    }
    // Returns one of the 32 words of a map.
    static std::uint32_t word(const TensorMap& map, std::size_t index) {
        return static_cast<std::uint32_t>(map.native().opaque[index / 2] >> index % 2 * 32);
    }

    TensorMapCalls driver_;
};

TEST_F(TensorMapTest, EncodesTiles) {
    const TensorMap map = TensorMap::tiled(matrix(), {32, 8});
    EXPECT_EQ(map.native().opaque[0], 4096u);
    EXPECT_EQ(word(map, 8), 255u) << "the last element of the innermost dimension";
    EXPECT_EQ(word(map, 9), 63u);
    EXPECT_EQ(word(map, 16), 4u * 32 * 8) << "the bytes of a tile";
    EXPECT_EQ(driver_.type, driver::CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
    EXPECT_THAT(driver_.shape, ElementsAre(256u, 64u));
    EXPECT_THAT(driver_.strides, ElementsAre(1024u)) << "without gaps";
    EXPECT_THAT(driver_.box, ElementsAre(32u, 8u));
    EXPECT_THAT(driver_.element_strides, ElementsAre(1u, 1u));
    EXPECT_THAT(driver_.enumerators, ElementsAre(0u, 0u, 0u, 0u));
    EXPECT_FALSE(ContextRef::current());

    (void)TensorMap::tiled({.address = 64,
                            .type = driver::CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                            .shape = {100, 64, 8},
                            .strides = {256, 65536},
                            .element_strides = {1, 2, 8},
                            .interleave = driver::CU_TENSOR_MAP_INTERLEAVE_32B,
                            .swizzle = driver::CU_TENSOR_MAP_SWIZZLE_32B,
                            .l2_promotion = driver::CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                            .oob_fill = driver::CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA},
                           {8, 256, 8});
    EXPECT_THAT(driver_.strides, ElementsAre(256u, 65536u));
    EXPECT_THAT(driver_.element_strides, ElementsAre(1u, 2u, 8u));
    EXPECT_THAT(driver_.enumerators, ElementsAre(2u, 1u, 3u, 1u));
    (void)TensorMap::tiled({.address = 16, .type = tensor_data_type<unsigned char>, .shape = {1000}}, {256});
    EXPECT_EQ(driver_.rank, 1u);
}

TEST_F(TensorMapTest, EncodesColumns) {
    TensorLayout layout = images();
    layout.swizzle = driver::CU_TENSOR_MAP_SWIZZLE_128B;
    const TensorMap map = TensorMap::im2col(
        layout, {.lower_corner = {-1, -14}, .upper_corner = {1, -29}, .channels_per_pixel = 32, .pixels_per_column = 1024});
    EXPECT_EQ(word(map, 16), 4u * 32 * 1024) << "the bytes of a tile";
    EXPECT_THAT(driver_.lower, ElementsAre(-1, -14));
    EXPECT_THAT(driver_.upper, ElementsAre(1, -29));
    EXPECT_THAT(driver_.columns, ElementsAre(32u, 1024u));
    EXPECT_THAT(driver_.strides, ElementsAre(256u, 8192u, 131072u));
    EXPECT_THAT(driver_.enumerators, ElementsAre(0u, 3u, 0u, 0u));
    (void)TensorMap::im2col_wide(images(), {.lower_corner_width = -128,
                                            .upper_corner_width = 127,
                                            .channels_per_pixel = 16,
                                            .pixels_per_column = 64,
                                            .mode = driver::CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128});
    EXPECT_THAT(driver_.lower, ElementsAre(-128));
    EXPECT_THAT(driver_.upper, ElementsAre(127));
    EXPECT_THAT(driver_.columns, ElementsAre(16u, 64u));
    EXPECT_THAT(driver_.enumerators, ElementsAre(0u, 1u, 0u, 0u, 0u)) << "interleave, mode, swizzle, promotion, fill";
}

TEST_F(TensorMapTest, ReplacesTheAddress) {
    const TensorMap original = TensorMap::tiled(matrix(), {32, 8});
    TensorMap map = original;
    map.replace_address(8192);
    EXPECT_EQ(map.native().opaque[0], 8192u);
    EXPECT_EQ(map.native().opaque[1], original.native().opaque[1]) << "the rest is unchanged";
    EXPECT_THAT(message_of<std::invalid_argument>([&] { map.replace_address(8200); }),
                AllOf(HasSubstr("8 bytes past"), HasSubstr("multiple of 16")));
    EXPECT_THROW(map.replace_address(0), std::invalid_argument);
    layers::faults::start();
    layers::faults::fail("cuTensorMapReplaceAddress", driver::CUDA_ERROR_INVALID_VALUE);
    EXPECT_THROW(map.replace_address(16), Error);
    layers::faults::stop();
    EXPECT_EQ(map.native().opaque[0], 8192u);
}

TEST_F(TensorMapTest, RejectsLayouts) {
    TensorLayout layout = matrix();
    const auto with = [&](auto change) {
        TensorLayout changed = layout;
        change(changed);
        return mistake(changed);
    };
    using L = TensorLayout;
    EXPECT_THAT(with([](L& l) { l.address = 0; }), HasSubstr("address is 0"));
    EXPECT_THAT(with([](L& l) { l.address = 24; }), AllOf(HasSubstr("8 bytes past"), HasSubstr("multiple of 16")));
    EXPECT_THAT(with([](L& l) { l.shape = {}; }), AllOf(HasSubstr("is 0"), HasSubstr("from 1 to 5")));
    EXPECT_THAT(with([](L& l) { l.shape = {4, 0}; }), AllOf(HasSubstr("dimension 1 has 0"), HasSubstr("2^32")));
    EXPECT_THAT(with([](L& l) { l.shape = {4, (1ull << 32) + 1}; }), HasSubstr("4294967297"));
    EXPECT_THAT(with([](L& l) { l.strides = {16, 16}; }), AllOf(HasSubstr("2 strides"), HasSubstr("requires 1")));
    EXPECT_THAT(with([](L& l) { l.strides = {24}; }), AllOf(HasSubstr("24 bytes"), HasSubstr("multiple of 16")));
    EXPECT_THAT(with([](L& l) { l.strides = {1ull << 40}; }), HasSubstr("2^40"));
    EXPECT_THAT(with([](L& l) { l.shape = {3, 4}; }), AllOf(HasSubstr("12 bytes"), HasSubstr("multiples of 16")));
    EXPECT_THAT(with([](L& l) { l.shape = {1ull << 32, 1ull << 32, 2}; }), HasSubstr("2^40"));
    EXPECT_THAT(with([](L& l) {  // one element of 4 bits has no byte
                    l.type = driver::CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B;
                    l.shape = {1, 8, 8};
                }),
                HasSubstr("0 bytes lie between"));
    EXPECT_THAT(with([](L& l) { l.element_strides = {1, 9}; }), AllOf(HasSubstr("element stride 1 is 9"), HasSubstr("1 to 8")));
    EXPECT_THAT(with([](L& l) { l.element_strides = {1}; }), HasSubstr("1 element strides"));
    EXPECT_THAT(with([](L& l) { l.interleave = driver::CU_TENSOR_MAP_INTERLEAVE_16B; }),
                AllOf(HasSubstr("CU_TENSOR_MAP_INTERLEAVE_16B"), HasSubstr("3 dimensions")));
    EXPECT_THAT(with([](L& l) {
                    l.type = tensor_data_type<int>;
                    l.oob_fill = driver::CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
                }),
                AllOf(HasSubstr("floating-point type"), HasSubstr("CU_TENSOR_MAP_DATA_TYPE_INT32")));
    EXPECT_THROW((TensorExtents{1, 2, 3, 4, 5, 6}), std::invalid_argument);
}

TEST_F(TensorMapTest, RejectsBoxes) {
    EXPECT_THAT(mistake(matrix(), {32}), AllOf(HasSubstr("1 dimensions"), HasSubstr("has 2")));
    EXPECT_THAT(mistake(matrix(), {32, 0}), AllOf(HasSubstr("0 elements in dimension 1"), HasSubstr("256")));
    EXPECT_THAT(mistake(matrix(), {257, 1}), HasSubstr("257 elements in dimension 0"));
    EXPECT_THAT(mistake(matrix(), {3, 1}), AllOf(HasSubstr("12 bytes"), HasSubstr("multiple of 16")));
    TensorLayout swizzled = matrix();
    swizzled.swizzle = driver::CU_TENSOR_MAP_SWIZZLE_64B;
    EXPECT_THAT(mistake(swizzled, {32, 1}),
                AllOf(HasSubstr("128 bytes"), HasSubstr("CU_TENSOR_MAP_SWIZZLE_64B"), HasSubstr("64")));
    const auto im2col = [&](const TensorLayout& layout, const Im2colBox& box) {
        return message_of<std::invalid_argument>([&] { (void)TensorMap::im2col(layout, box); });
    };
    EXPECT_THAT(im2col(matrix(), {}), AllOf(HasSubstr("is 2"), HasSubstr("from 3 to 5")));
    EXPECT_THAT(im2col(images(), {.lower_corner = {0}, .upper_corner = {0, 0}}),
                AllOf(HasSubstr("1 numbers"), HasSubstr("requires 2")));
    EXPECT_THAT(im2col(images(), {.lower_corner = {0, 0}, .upper_corner = {0, 128}}),
                AllOf(HasSubstr("128"), HasSubstr("-128 to 127")));
    EXPECT_THAT(im2col(images(), {.lower_corner = {0, 0}, .upper_corner = {0, 0}, .channels_per_pixel = 257}),
                AllOf(HasSubstr("257"), HasSubstr("1 to 256")));
    EXPECT_THAT(im2col(images(), {.lower_corner = {0, 0}, .upper_corner = {0, 0}, .pixels_per_column = 1025}), HasSubstr("1025"));
    EXPECT_THAT(
        message_of<std::invalid_argument>([&] { (void)TensorMap::im2col_wide(images(), {.lower_corner_width = -32769}); }),
        HasSubstr("-32769"));
    EXPECT_EQ(driver_.calls, 0);
}

TEST_F(TensorMapTest, RejectsCornersThatLeaveNoPixel) {
    const auto im2col = [&](const TensorLayout& layout, int lower, int upper) {
        const Im2colBox box{.lower_corner = {0, lower}, .upper_corner = {0, upper}, .channels_per_pixel = 4};
        return message_of<std::invalid_argument>([&] { (void)TensorMap::im2col(layout, box); });
    };
    EXPECT_THAT(im2col(images(), 3, -13),
                AllOf(HasSubstr("3"), HasSubstr("-13"), HasSubstr("16 pixels of dimension 2"), HasSubstr("-12")));
    TensorLayout interleaved = images();
    interleaved.interleave = driver::CU_TENSOR_MAP_INTERLEAVE_16B;
    EXPECT_THAT(im2col(interleaved, 0, -32), AllOf(HasSubstr("32 pixels of dimension 1"), HasSubstr("-31")));
    TensorLayout high = images();
    high.shape = {64, 32, 1ull << 32, 8};
    high.strides = {256, 8192, 8192};
    EXPECT_THAT(im2col(high, 0, 0), AllOf(HasSubstr("4294967296"), HasSubstr("at least 1")));
    const Im2colWideBox wide{.lower_corner_width = 30, .upper_corner_width = -2, .channels_per_pixel = 4};
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)TensorMap::im2col_wide(images(), wide); }),
                AllOf(HasSubstr("32 pixels of dimension 1"), HasSubstr("-1")));
    EXPECT_EQ(driver_.calls, 0);
    EXPECT_NO_THROW(
        (void)TensorMap::im2col(images(), {.lower_corner = {0, 3}, .upper_corner = {0, -12}, .channels_per_pixel = 4}));
    EXPECT_NO_THROW(
        (void)TensorMap::im2col_wide(images(), {.lower_corner_width = 30, .upper_corner_width = -1, .channels_per_pixel = 4}));
}

TEST_F(TensorMapTest, RejectsChannelsByTheirBytes) {
    TensorLayout layout = images();
    layout.interleave = driver::CU_TENSOR_MAP_INTERLEAVE_16B;
    const auto both = [&](unsigned int channels) {
        const auto im2col = message_of<std::invalid_argument>([&] {
            (void)TensorMap::im2col(layout, {.lower_corner = {0, 0}, .upper_corner = {0, 0}, .channels_per_pixel = channels});
        });
        const auto wide =
            message_of<std::invalid_argument>([&] { (void)TensorMap::im2col_wide(layout, {.channels_per_pixel = channels}); });
        EXPECT_EQ(im2col, wide);
        return im2col;
    };
    EXPECT_THAT(both(6), AllOf(HasSubstr("24 bytes"), HasSubstr("multiple of 16")));
    layout.interleave = driver::CU_TENSOR_MAP_INTERLEAVE_NONE;
    layout.swizzle = driver::CU_TENSOR_MAP_SWIZZLE_32B;
    EXPECT_THAT(both(12), AllOf(HasSubstr("48 bytes"), HasSubstr("CU_TENSOR_MAP_SWIZZLE_32B")));
    EXPECT_EQ(driver_.calls, 0);
}

TEST_F(TensorMapTest, StatesTheBytesThatTheDriverRejects) {
    const auto refusal = [](auto encode) { return message_of<Error>([&] { (void)encode(); }); };
    EXPECT_THAT(refusal([&] {
                    return TensorMap::tiled(matrix(), {256, 229});
                }),
                AllOf(HasSubstr("cuTensorMapEncodeTiled"), HasSubstr("256 x 64"), HasSubstr("CU_TENSOR_MAP_DATA_TYPE_FLOAT32"),
                      HasSubstr("234496 bytes")));
    EXPECT_NO_THROW((void)TensorMap::tiled(matrix(), {256, 228}));
    TensorLayout thin = matrix();
    thin.element_strides = {1, 3};
    EXPECT_NO_THROW((void)TensorMap::tiled(thin, {256, 256})) << "every third row is copied";
    const Im2colBox box{.lower_corner = {0, 0}, .upper_corner = {0, 0}, .channels_per_pixel = 64, .pixels_per_column = 1024};
    EXPECT_THAT(refusal([&] { return TensorMap::im2col(images(), box); }), HasSubstr("262144 bytes"));
    EXPECT_THAT(refusal([&] { return TensorMap::im2col_wide(images(), {.channels_per_pixel = 64, .pixels_per_column = 1024}); }),
                HasSubstr("262144 bytes"));
    TensorLayout packed = matrix();
    packed.type = driver::CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B;
    EXPECT_THAT(refusal([&] { return TensorMap::tiled(packed, {128, 8}); }), HasSubstr("compute capability 10.0"));
    EXPECT_THAT(driver_.strides, ElementsAre(128u)) << "256 elements of 4 bits";
    packed.type = driver::CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B;
    EXPECT_THAT(refusal([&] { return TensorMap::tiled(packed, {128, 8}); }), HasSubstr("compute capability 10.0"));
    EXPECT_THAT(driver_.strides, ElementsAre(192u)) << "256 elements of 6 bits";
}

TEST_F(TensorMapTest, NamesTheReleaseOfAMissingFunction) {
    layers::remove(driver_);
    sim::install({.release = "12.0"});
    EXPECT_THAT(message_of<Error>([&] { (void)TensorMap::im2col_wide(images(), {.channels_per_pixel = 4}); }),
                AllOf(HasSubstr("cuTensorMapEncodeIm2colWide"), HasSubstr("12.8")));
}

TEST_F(TensorMapTest, IsAKernelArgument) {
    struct Bytes {
        driver::cuuint64_t words[16];
    };
    sim::define_kernel("read_map", [](const sim::Thread&, Bytes map, driver::cuuint64_t* out) { *out = map.words[0]; });
    const ObjectCode code = ObjectCode::from_bytes(CodeType::ptx, R"(
        .version 8.0
        .target sm_90
        .address_size 64
        .visible .entry read_map(.param .align 64 .b8 map[128], .param .u64 out) { ret; }
    )");
    const Stream stream(device);
    TypedBuffer<driver::cuuint64_t> out = device.allocate<driver::cuuint64_t>(stream, 1);
    const auto result = [&] {
        driver::cuuint64_t value = 0;
        copy(stream, value, out);
        stream.synchronize();
        return value;
    };
    TensorMap map = TensorMap::tiled(matrix(), {32, 8});
    launch(stream, {}, code.kernel("read_map"), map, out);
    EXPECT_EQ(result(), 4096u);
    map.replace_address(8192);
    const KernelFunction<void(driver::CUtensorMap, driver::cuuint64_t*)> read_map(code.kernel("read_map"), device);
    read_map(stream, {}, map, out);
    EXPECT_EQ(result(), 8192u);
}

TEST_F(TensorMapTest, SweepReportsEachFailure) {
    device.set_current();
    const std::vector<std::string> tolerated{"cuCtxGetCurrent"};
    sweep([&] { (void)TensorMap::tiled(matrix(), {32, 8}); }, tolerated);
    const Im2colBox box{.lower_corner = {0, 0}, .upper_corner = {0, 0}, .channels_per_pixel = 4};
    sweep([&] { (void)TensorMap::im2col(images(), box); }, tolerated);
    sweep([&] { (void)TensorMap::im2col_wide(images(), {.channels_per_pixel = 4}); }, tolerated);
    TensorMap map = TensorMap::tiled(matrix(), {32, 8});
    sweep([&] { map.replace_address(64); }, tolerated);
}

}  // namespace
}  // namespace cubind::testing

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Layouts of tensor maps from views.

#include <cubind/core/array/tensor_map.hpp>

#include <cstring>

#include "strided_test.hpp"

namespace cubind::testing {
namespace {

class TensorLayoutTest : public StridedTest {
protected:
    StridedView view(const Dimensions& shape, const Dimensions& strides = {}, DataType type = data_type<float>) {
        return StridedView(buffer, type, shape, strides);
    }

    Stream stream{device};
    Buffer buffer = device.allocate(stream, 1 << 16);
};

TEST_F(TensorLayoutTest, ReversesTheDimensions) {
    const TensorLayout layout = tensor_layout(view({4, 8, 16}, {256, 32, 1}).slice(0, 1, 3));
    EXPECT_EQ(layout.address, buffer.native_handle() + 256 * sizeof(float));
    EXPECT_EQ(layout.type, driver::CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
    ASSERT_EQ(layout.shape.rank(), 3u);
    EXPECT_EQ(layout.shape[0], 16u);
    EXPECT_EQ(layout.shape[1], 8u);
    EXPECT_EQ(layout.shape[2], 2u);
    ASSERT_EQ(layout.strides.rank(), 2u);
    EXPECT_EQ(layout.strides[0], 32 * sizeof(float));
    EXPECT_EQ(layout.strides[1], 256 * sizeof(float));
}

TEST_F(TensorLayoutTest, DescribesTheSameTensorAsALayoutByHand) {
    const TensorMap from_view = TensorMap::tiled(tensor_layout(view({64, 256})), {32, 8});
    const TensorMap by_hand =
        TensorMap::tiled({.address = buffer.native_handle(), .type = tensor_data_type<float>, .shape = {256, 64}}, {32, 8});
    EXPECT_EQ(std::memcmp(&from_view.native(), &by_hand.native(), sizeof(driver::CUtensorMap)), 0);
}

TEST_F(TensorLayoutTest, NamesTheTypeOfElements) {
    using namespace driver;
    const std::vector<std::pair<DataType, driver::CUtensorMapDataType>> types{
        {data_type<std::uint8_t>, CU_TENSOR_MAP_DATA_TYPE_UINT8},
        {data_type<std::int8_t>, CU_TENSOR_MAP_DATA_TYPE_UINT8},
        {data_type<bool>, CU_TENSOR_MAP_DATA_TYPE_UINT8},
        {data_type<std::uint16_t>, CU_TENSOR_MAP_DATA_TYPE_UINT16},
        {data_type<std::int16_t>, CU_TENSOR_MAP_DATA_TYPE_UINT16},
        {data_type<std::uint32_t>, CU_TENSOR_MAP_DATA_TYPE_UINT32},
        {data_type<std::int32_t>, CU_TENSOR_MAP_DATA_TYPE_INT32},
        {data_type<std::uint64_t>, CU_TENSOR_MAP_DATA_TYPE_UINT64},
        {data_type<std::int64_t>, CU_TENSOR_MAP_DATA_TYPE_INT64},
        {data_type<double>, CU_TENSOR_MAP_DATA_TYPE_FLOAT64},
        {DataType::float16(), CU_TENSOR_MAP_DATA_TYPE_FLOAT16},
        {DataType::bfloat16(), CU_TENSOR_MAP_DATA_TYPE_BFLOAT16},
        {{DataTypeKind::float8_e4m3fn, 8, 1}, CU_TENSOR_MAP_DATA_TYPE_UINT8}};
    for (const auto& [type, expected] : types)
        EXPECT_EQ(tensor_layout(view({4, 16}, {}, type)).type, expected) << to_string(type);
}

TEST_F(TensorLayoutTest, RejectsOtherViews) {
    std::vector<int> values = numbers(6);
    EXPECT_THAT(mistake([&] { (void)tensor_layout(view({1, 1, 1, 1, 1, 4})); }), AllOf(HasSubstr("5"), HasSubstr("6")));
    EXPECT_THAT(mistake([&] { (void)tensor_layout(view({})); }), HasSubstr("0"));
    EXPECT_THAT(mistake([&] { (void)tensor_layout(view({8, 16}).transpose()); }), AllOf(HasSubstr("(1, 16)"), HasSubstr("16")));
    EXPECT_THAT(mistake([&] { (void)tensor_layout(view({8, 16}).reverse(0)); }), HasSubstr("(-16, 1)"));
    EXPECT_THAT(mistake([&] { (void)tensor_layout(host_view(values, {2, 3})); }), HasSubstr("pageable"));
    EXPECT_THAT(mistake([&] { (void)tensor_layout(view({8}, {}, {DataTypeKind::complex, 64, 1})); }), HasSubstr("complex64"));
    EXPECT_THAT(mistake([&] {
                    (void)tensor_layout(view({8}, {}, {DataTypeKind::floating_point, 32, 2}));
                }),
                HasSubstr("float32x2"));
}

}  // namespace
}  // namespace cubind::testing

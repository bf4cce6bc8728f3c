// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Properties of layouts, elements of other types, and views of new memory.

#include <cubind/core/memory/device_memory_resource.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>

#include <cstdlib>
#include <set>

#include "strided_test.hpp"

namespace cubind::testing {
namespace {

class StridedLayoutTest : public StridedTest {
protected:
    /// Returns a view that is never read. Its first element has the address 2^20.
    static StridedView layout(const Dimensions& shape, const Dimensions& strides = {}, DataType type = data_type<float>) {
        return StridedView({.data = reinterpret_cast<void*>(1 << 20), .dtype = type, .shape = shape, .strides = strides});
    }
    /// Returns the offset of each element in row-major order.
    static std::vector<std::int64_t> offsets_of(const StridedView& view) {
        std::vector<std::int64_t> offsets{0};
        for (std::size_t i = 0; i < view.rank(); ++i) {
            std::vector<std::int64_t> longer;
            for (const std::int64_t offset : offsets) {
                for (std::int64_t k = 0; k < view.shape()[i]; ++k) longer.push_back(offset + k * view.strides()[i]);
            }
            offsets = longer;
        }
        return offsets;
    }

    Stream stream{device};
};

constexpr DataType half = DataType::float16();
constexpr DataType three_floats{DataTypeKind::floating_point, 32, 3};

// ---- layouts -------------------------------------------------------------------------------------------------------------

TEST_F(StridedLayoutTest, StatesTheRangeOfItsElements) {
    EXPECT_EQ(layout({3, 4}).offset_bounds(), (OffsetBounds{0, 11}));
    EXPECT_EQ(layout({3, 4}).required_size_bytes(), 48u);
    EXPECT_EQ(layout({3, 4}, {10, 2}).offset_bounds(), (OffsetBounds{0, 26}));
    EXPECT_EQ(layout({3, 4}, {10, 2}).required_size_bytes(), 108u);
    EXPECT_EQ(layout({3, 4}, {-4, 1}).offset_bounds(), (OffsetBounds{-8, 3}));
    EXPECT_EQ(layout({3, 4}, {-4, 1}).required_size_bytes(), 48u);
    EXPECT_EQ(layout({3, 4}, {0, 0}).required_size_bytes(), 4u);
    EXPECT_EQ(layout({}).offset_bounds(), (OffsetBounds{0, 0}));
    EXPECT_EQ(layout({}).required_size_bytes(), 4u);
    EXPECT_EQ(layout({2, 0}, {huge, huge}).offset_bounds(), (OffsetBounds{0, -1}));
    EXPECT_EQ(layout({2, 0}, {huge, huge}).required_size_bytes(), 0u);
}

TEST_F(StridedLayoutTest, RequiresABufferOfTheRequiredSize) {
    const StridedView view = layout({3, 4}, {10, 2});
    const Buffer exact = device.allocate(stream, view.required_size_bytes());
    EXPECT_EQ(StridedView(exact, view.dtype(), view.shape(), view.strides()).required_size_bytes(), exact.size());
    const Buffer smaller = device.allocate(stream, view.required_size_bytes() - 4);
    EXPECT_THROW(StridedView(smaller, view.dtype(), view.shape(), view.strides()), std::invalid_argument);
}

TEST_F(StridedLayoutTest, OrdersDimensionsByTheirStrides) {
    EXPECT_EQ(layout({2, 3, 4}).stride_order(), Dimensions({0, 1, 2}));
    EXPECT_EQ(layout({2, 3, 4}).transpose().stride_order(), Dimensions({2, 1, 0}));
    EXPECT_EQ(layout({2, 3, 4}, {1, 2, 6}).stride_order(), Dimensions({2, 1, 0}));
    EXPECT_EQ(layout({2, 3}, {1, -2}).stride_order(), Dimensions({1, 0}));
    EXPECT_EQ(layout({2, 3}, {0, 1}).stride_order(), Dimensions({1, 0}));
    EXPECT_EQ(layout({2, 1, 3}, {3, 1, 1}).stride_order(), Dimensions({0, 2, 1}));
    EXPECT_EQ(layout({2, 2}, {1, 1}).stride_order(), Dimensions({0, 1}));
    EXPECT_EQ(layout({1, 1, 2}, {huge, -huge - 1, 1}).stride_order(), Dimensions({1, 0, 2}));
    EXPECT_EQ(layout({}).stride_order(), Dimensions());
}

TEST_F(StridedLayoutTest, ReturnsStridesWithoutGaps) {
    EXPECT_EQ(layout({3, 4}, {10, 2}).dense_strides(), Dimensions({4, 1}));
    EXPECT_EQ(layout({3, 4}, {2, 10}).dense_strides(), Dimensions({1, 3}));
    EXPECT_EQ(layout({3, 4}, {2, -10}).dense_strides(), Dimensions({1, 3}));
    EXPECT_EQ(layout({2, 3, 4}, {12, 100, 1}).dense_strides(), Dimensions({4, 8, 1}));
    EXPECT_EQ(layout({3, 4}, {2, 10}).dense_strides(MemoryOrder::row_major), Dimensions({4, 1}));
    EXPECT_EQ(layout({3, 4}).dense_strides(MemoryOrder::column_major), Dimensions({1, 3}));
    EXPECT_EQ(layout({2, 3}, {0, 1}).dense_strides(), Dimensions({1, 2}));
    EXPECT_EQ(layout({}).dense_strides(), Dimensions());
}

TEST_F(StridedLayoutTest, KnowsSharedElements) {
    EXPECT_TRUE(layout({3, 4}).is_unique());
    EXPECT_TRUE(layout({}).is_unique());
    EXPECT_TRUE(layout({0, 4}, {0, 0}).is_unique());
    EXPECT_TRUE(layout({1, 4}, {0, 1}).is_unique());
    EXPECT_FALSE(layout({2, 4}, {0, 1}).is_unique());
    EXPECT_FALSE(layout({4}).unsqueeze(0).broadcast_to({3, 4}).is_unique());
    EXPECT_FALSE(layout({3, 4}, {1, 1}).is_unique()) << "windows of a row";
    EXPECT_TRUE(layout({2, 2}, {2, 3}).is_unique()) << "the offsets are 0, 2, 3, 5";
    EXPECT_FALSE(layout({4, 3}, {2, 3}).is_unique()) << "3 * 2 and 2 * 3";
    EXPECT_TRUE(layout({2, 2, 10}, {20, -30, 1}).is_unique());
    EXPECT_FALSE(layout({2, 2, 2}, {4, 5, 6}).is_unique()) << "documented: three dimensions interleave";
    const StridedView view = layout({4, 6, 5});
    EXPECT_TRUE(view.slice(1, 1, 6, 2).permute({1, 2, 0}).reverse(2).select(0, 1).is_unique());
    EXPECT_TRUE(view.reshape({8, 15}).transpose().view_as(data_type<std::int32_t>).is_unique());
}

// Compares with the offsets of all elements.
TEST_F(StridedLayoutTest, IsExactForTwoInterleavedDimensions) {
    std::size_t shared = 0;
    std::size_t interleaved = 0;
    for (std::int64_t rows = 1; rows <= 5; ++rows) {
        for (std::int64_t columns = 1; columns <= 5; ++columns) {
            for (std::int64_t row = -7; row <= 7; ++row) {
                for (std::int64_t column = -7; column <= 7; ++column) {
                    const StridedView view = layout({rows, 2, columns}, {row, 100, column});
                    const auto offsets = offsets_of(view);
                    const bool is_unique = std::set(offsets.begin(), offsets.end()).size() == offsets.size();
                    ASSERT_EQ(view.is_unique(), is_unique) << to_string(view.shape()) << to_string(view.strides());
                    shared += is_unique ? 0 : 1;
                    const bool is_sorted =
                        std::abs(row) >= columns * std::abs(column) || std::abs(column) >= rows * std::abs(row);
                    interleaved += is_unique && !is_sorted ? 1 : 0;
                }
            }
        }
    }
    EXPECT_GT(shared, 100u);
    EXPECT_GT(interleaved, 100u);
}

// ---- joined dimensions ---------------------------------------------------------------------------------------------------

TEST_F(StridedLayoutTest, JoinsDimensions) {
    std::vector<int> values = numbers(24);
    const StridedView view = host_view(values, {2, 3, 4});
    EXPECT_EQ(view.flatten().shape(), Dimensions({24}));
    EXPECT_EQ(view.flatten().strides(), Dimensions({1}));
    EXPECT_EQ(elements_of(view.flatten(0, 2)), values);
    EXPECT_EQ(view.flatten(0, 2).shape(), Dimensions({6, 4}));
    EXPECT_EQ(view.flatten(1, 3).strides(), Dimensions({12, 1}));
    EXPECT_EQ(view.flatten(1, 2).shape(), view.shape());
    EXPECT_EQ(view.flatten(1, 1).shape(), Dimensions({2, 1, 3, 4}));
    EXPECT_EQ(view.slice(2, 0, 3).flatten(0, 2).strides(), Dimensions({4, 1}));
    EXPECT_EQ(view.reverse(0).reverse(1).reverse(2).flatten().strides(), Dimensions({-1}));
    EXPECT_EQ(view.select(2, 0).unsqueeze(2).broadcast_to({2, 3, 5}).flatten(0, 2).strides(), Dimensions({4, 0}));
    EXPECT_EQ(host_view(values, {}).flatten().shape(), Dimensions({1}));
    EXPECT_EQ(host_view(values, {1, 5, 1}, {huge, 3, huge}).flatten().strides(), Dimensions({3}));
    EXPECT_EQ(host_view(values, {2, 0, 3}, {huge, huge, huge}).flatten(0, 2).shape(), Dimensions({0, 3}));
}

TEST_F(StridedLayoutTest, RefusesToJoinWithGaps) {
    const StridedView view = layout({2, 3, 4});
    EXPECT_THAT(mistake([&] { (void)view.slice(2, 0, 3).flatten(); }),
                AllOf(HasSubstr("(2, 3, 3)"), HasSubstr("(12, 4, 1)"), HasSubstr("from 0 to before 3")));
    EXPECT_THAT(mistake([&] { (void)view.transpose().flatten(0, 2); }), HasSubstr("(4, 3, 2)"));
    EXPECT_THAT(mistake([&] { (void)view.flatten(2, 1); }), AllOf(HasSubstr("from 2 to before 1"), HasSubstr("has 3")));
    EXPECT_THAT(mistake([&] { (void)view.flatten(1, 4); }), HasSubstr("to before 4"));
    const StridedView empty = layout({0, huge, 3}, {1, 1, 1});
    EXPECT_THAT(mistake([&] { (void)empty.flatten(1, 3); }), HasSubstr("2^63"));
}

// ---- elements of another type --------------------------------------------------------------------------------------------

TEST_F(StridedLayoutTest, ViewsElementsOfTheSameSize) {
    std::vector<int> values = {0x3f800000, 0x40000000};
    const StridedView view = host_view(values, {2}, {1}).reverse(0).view_as(data_type<float>);
    EXPECT_EQ(view.dtype(), data_type<float>);
    EXPECT_EQ(view.strides(), Dimensions({-1}));
    EXPECT_EQ((view.span<float, 1>()[0]), 2.0f);
    EXPECT_EQ((view.span<float, 1>()[1]), 1.0f);
    EXPECT_EQ(layout({3, 4}, {1, 10}).view_as(data_type<int>).strides(), Dimensions({1, 10}));
    EXPECT_EQ(layout({}).view_as(data_type<int>).dtype(), data_type<int>);
    EXPECT_TRUE(layout({3}).as_readonly().view_as(data_type<int>).is_readonly());
}

TEST_F(StridedLayoutTest, DividesElements) {
    std::vector<int> values = {0x00010000, 0x00030002, 0x00050004, 0x00070006};
    const StridedView view = host_view(values, {2, 2}).view_as(data_type<std::uint16_t>);
    EXPECT_EQ(view.shape(), Dimensions({2, 4}));
    EXPECT_EQ(view.strides(), Dimensions({4, 1}));
    for (int i = 0; i < 8; ++i) EXPECT_EQ((view.span<std::uint16_t, 2>()(i / 4, i % 4)), i);
    EXPECT_EQ(layout({3, 1}, {10, 7}).view_as(half).strides(), Dimensions({20, 1})) << "the stride of one element has no effect";
    EXPECT_EQ(layout({3, 4}, {-4, 1}).view_as(half).strides(), Dimensions({-8, 1}));
    EXPECT_EQ(layout({3, 2}, {0, 1}).view_as(half).strides(), Dimensions({0, 1}));
    EXPECT_EQ(layout({1, 2}, {huge, 1}).view_as(half).shape(), Dimensions({1, 4}));
    EXPECT_EQ(layout({3, 2}, {2, 1}, three_floats).view_as(data_type<float>).shape(), Dimensions({3, 6}));
}

TEST_F(StridedLayoutTest, PacksElements) {
    std::vector<int> values = numbers(12);
    const StridedView view = host_view(values, {3, 4});
    if (reinterpret_cast<std::uintptr_t>(values.data()) % 8 == 0) {
        EXPECT_EQ(view.view_as(data_type<std::int64_t>).shape(), Dimensions({3, 2}));
        EXPECT_EQ((view.view_as(data_type<std::int64_t>).span<std::int64_t, 2>()(2, 1)), std::int64_t{11} << 32 | 10);
    }
    EXPECT_EQ(layout({3, 4}).view_as(data_type<double>).strides(), Dimensions({2, 1}));
    EXPECT_EQ(layout({4, 3}, {1, 4}).view_as(data_type<double>, 0).shape(), Dimensions({2, 3}));
    EXPECT_EQ(layout({4, 3}, {1, 4}).view_as(data_type<double>, 0).strides(), Dimensions({1, 2}));
    EXPECT_EQ(layout({1, 4}, {5, 1}).view_as(data_type<double>).shape(), Dimensions({1, 2}));
    EXPECT_EQ(layout({2, 6}).view_as(three_floats).shape(), Dimensions({2, 2}));
    EXPECT_EQ(layout({3, 4}).view_as(half).view_as(data_type<float>).strides(), layout({3, 4}).strides());
}

TEST_F(StridedLayoutTest, ViewsNoElementsAsAnyType) {
    const StridedView empty = layout({0, 4}, {huge, 3});
    EXPECT_EQ(empty.view_as(data_type<double>).shape(), Dimensions({0, 2}));
    EXPECT_EQ(layout({4, 0}).view_as(half).shape(), Dimensions({4, 0}));
    EXPECT_THAT(mistake([&] { (void)layout({0, 3}).view_as(data_type<double>); }), HasSubstr("3 elements"));
    EXPECT_THAT(mistake([&] { (void)layout({0, huge}, {1, 1}).view_as(half); }), HasSubstr("whole number"));
}

TEST_F(StridedLayoutTest, RefusesOtherTypesThatDoNotFit) {
    const DataType wide = data_type<double>;
    EXPECT_THAT(mistake([&] {
                    (void)layout({3, 3}).view_as(wide);
                }),
                AllOf(HasSubstr("float32"), HasSubstr("float64"), HasSubstr("dimension 1 has 3 elements")));
    EXPECT_THAT(mistake([&] { (void)layout({3, 4}, {5, 1}).view_as(wide); }), HasSubstr("the stride 5 of dimension 0"));
    EXPECT_THAT(mistake([&] {
                    (void)layout({3, 4}, {8, 2}).view_as(half);
                }),
                AllOf(HasSubstr("dimension 1"), HasSubstr("its stride is 2")));
    EXPECT_THAT(mistake([&] { (void)layout({3, 4}).view_as(half, 0); }), HasSubstr("its stride is 4"));
    EXPECT_THAT(mistake([&] { (void)layout({3, 4}).view_as(half, 2); }), HasSubstr("dimension 2 does not exist"));
    EXPECT_THAT(mistake([&] { (void)layout({3, 4}).view_as(data_type<int>, 2); }), HasSubstr("dimension 2 does not exist"));
    EXPECT_THAT(mistake([&] { (void)layout({}).view_as(half); }), AllOf(HasSubstr("scalar"), HasSubstr("unsqueeze")));
    EXPECT_THAT(mistake([&] { (void)layout({8}).slice(0, 1, 5).view_as(wide); }), HasSubstr("1048580 is not a multiple of 8"));
    EXPECT_THAT(mistake([&] {
                    (void)layout({8}).slice(0, 2, 6).view_as({DataTypeKind::floating_point, 32, 4});
                }),
                HasSubstr("1048584 is not a multiple of 16"));
    EXPECT_EQ(layout({8}).slice(0, 1, 7).view_as(three_floats).size(), 2u) << "12 bytes are aligned to 4";
    const DataType fp4{DataTypeKind::float4_e2m1fn, 4, 1};
    EXPECT_THAT(mistake([&] { (void)layout({4}).view_as(fp4); }), HasSubstr("share bytes"));
    EXPECT_THAT(mistake([&] { (void)layout({4}, {1}, data_type<std::int8_t>).view_as(fp4); }), HasSubstr("share bytes"));
    EXPECT_THAT(mistake([&] { (void)layout({4}).view_as({DataTypeKind::bfloat, 32, 1}); }), HasSubstr("16 bits"));
}

// ---- new memory ----------------------------------------------------------------------------------------------------------

TEST_F(StridedLayoutTest, AllocatesMemoryOfTheSameShapeAndOrder) {
    std::vector<int> values = numbers(12);
    const StridedView source = host_view(values, {3, 4}).transpose().slice(0, 1, 4).as_readonly();
    StridedView copied = source.allocate_like(stream, device);
    EXPECT_EQ(copied.device(), device);
    EXPECT_EQ(copied.dtype(), data_type<int>);
    EXPECT_EQ(copied.shape(), Dimensions({3, 3}));
    EXPECT_EQ(copied.strides(), Dimensions({1, 3}));
    EXPECT_FALSE(copied.is_readonly());
    copy(stream, copied, source);
    PinnedMemoryResource pinned;
    const StridedView on_host = copied.allocate_like(stream, pinned, MemoryOrder::row_major);
    EXPECT_EQ(on_host.memory_type(), MemoryType::host);
    EXPECT_EQ(on_host.strides(), Dimensions({3, 1}));
    copy(stream, on_host, copied);
    stream.synchronize();
    EXPECT_EQ(elements_of(on_host), elements_of(source));
    EXPECT_EQ(layout({0, 3}).allocate_like(stream, device).size(), 0u);
}

TEST_F(StridedLayoutTest, FreesTheMemoryWithTheLastView) {
    DeviceMemoryResource pool(device);
    StridedView view = layout({4, 8}).allocate_like(stream, pool);
    StridedView part = view.select(0, 1);
    view = part;
    stream.synchronize();
    EXPECT_EQ(pool.attributes().used_mem_current(), 128u);
    part = view = layout({});
    stream.synchronize();
    EXPECT_EQ(pool.attributes().used_mem_current(), 0u);
}

TEST_F(StridedLayoutTest, ReportsEveryFailedCall) {
    sweep([&] { EXPECT_EQ(layout({2, 3}).allocate_like(stream, device).size(), 6u); });
}

}  // namespace
}  // namespace cubind::testing

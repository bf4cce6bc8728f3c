// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Creation, properties and shapes of views.

#include <cubind/core/memory/managed_memory_resource.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>

#include <array>
#include <complex>

#include "strided_test.hpp"

namespace cubind::testing {
namespace {

class StridedViewTest : public StridedTest {
protected:
    Stream stream{device};
};

// ---- types ---------------------------------------------------------------------------------------------------------------

TEST_F(StridedViewTest, NamesDataTypes) {
    EXPECT_EQ(to_string(data_type<float>), "float32");
    EXPECT_EQ(to_string(data_type<std::int8_t>), "int8");
    EXPECT_EQ(to_string(data_type<std::uint64_t>), "uint64");
    EXPECT_EQ(to_string(data_type<std::byte>), "uint8");
    EXPECT_EQ(to_string(data_type<bool>), "bool");
    EXPECT_EQ(to_string(data_type<std::complex<double>>), "complex128");
    EXPECT_EQ(to_string(DataType::float16()), "float16");
    EXPECT_EQ(to_string(DataType::bfloat16()), "bfloat16");
    EXPECT_EQ(to_string(DataType{DataTypeKind::float8_e4m3fn, 8, 1}), "float8_e4m3fn");
    EXPECT_EQ(to_string(DataType{DataTypeKind::float4_e2m1fn, 4, 2}), "float4_e2m1fnx2");
    EXPECT_EQ(to_string(DataType{static_cast<DataTypeKind>(40), 8, 1}), "type 40 of 8 bits");
    EXPECT_EQ(DataType({DataTypeKind::floating_point, 32, 4}).size(), 16u);
    EXPECT_EQ(DataType({DataTypeKind::float4_e2m1fn, 4, 2}).size(), 1u);
}

TEST_F(StridedViewTest, RejectsTypesWithoutAddresses) {
    int value = 0;
    const auto view_as = [&](DataType type) { (void)StridedView({.data = &value, .dtype = type, .shape = {1}}); };
    EXPECT_THAT(mistake([&] { view_as({DataTypeKind::float4_e2m1fn, 4, 1}); }), AllOf(HasSubstr("4 bits"), HasSubstr("lanes")));
    EXPECT_THAT(mistake([&] { view_as({DataTypeKind::float8_e5m2, 16, 1}); }), AllOf(HasSubstr("16 bits"), HasSubstr("8 bits")));
    EXPECT_THAT(mistake([&] { view_as({DataTypeKind::bfloat, 32, 1}); }), HasSubstr("16 bits"));
    EXPECT_THAT(mistake([&] { view_as({DataTypeKind::signed_integer, 0, 1}); }), HasSubstr("0 bits"));
    EXPECT_THAT(mistake([&] { view_as({DataTypeKind::signed_integer, 8, 0}); }), HasSubstr("0 lanes"));
    EXPECT_NO_THROW(view_as({DataTypeKind::float4_e2m1fn, 4, 2}));
    EXPECT_NO_THROW(view_as({DataTypeKind::float6_e3m2fn, 6, 4}));
}

TEST_F(StridedViewTest, LimitsTheNumberOfDimensions) {
    Dimensions shape;
    for (int i = 0; i < 16; ++i) shape.push_back(1);
    EXPECT_EQ(shape.rank(), 16u);
    EXPECT_THAT(mistake([&] { shape.push_back(1); }), AllOf(HasSubstr("17"), HasSubstr("16")));
    EXPECT_THAT(mistake([] { (void)Dimensions({1, 2})[2]; }), AllOf(HasSubstr("dimension 2"), HasSubstr("2 dimensions")));
    EXPECT_EQ(to_string(Dimensions{2, -3}), "(2, -3)");
    EXPECT_NE(Dimensions({1}), Dimensions({1, 1}));
}

// ---- creation ------------------------------------------------------------------------------------------------------------

TEST_F(StridedViewTest, DescribesBuffersOfEachKind) {
    const auto view_in = [&](const MemoryResource& resource) {
        const TypedBuffer<float> buffer = resource.allocate<float>(stream, 6);
        return StridedView(buffer, {2, 3});
    };
    const StridedView on_device = view_in(device.memory_resource());
    EXPECT_EQ(on_device.memory_type(), MemoryType::device);
    EXPECT_EQ(on_device.device(), device);
    EXPECT_TRUE(on_device.is_device_accessible() && !on_device.is_host_accessible() && !on_device.is_readonly());
    EXPECT_EQ(on_device.dtype(), data_type<float>);
    EXPECT_EQ(on_device.strides(), Dimensions({3, 1}));
    EXPECT_EQ(on_device.size(), 6u);
    EXPECT_EQ(on_device.size_bytes(), 24u);
    const StridedView pinned = view_in(PinnedMemoryResource());
    EXPECT_EQ(pinned.memory_type(), MemoryType::host);
    EXPECT_TRUE(pinned.is_device_accessible() && pinned.is_host_accessible() && !pinned.device());
    EXPECT_EQ(view_in(ManagedMemoryResource()).memory_type(), MemoryType::managed);
    EXPECT_NE(on_device.owner(), nullptr);
}

TEST_F(StridedViewTest, RetainsTheMemoryOfABuffer) {
    layers::leaks::start();
    const auto before = layers::leaks::checkpoint();
    {
        StridedView view = [&] {
            const TypedBuffer<int> buffer = device.allocate<int>(stream, 4);
            return StridedView(buffer, {2, 2}).transpose();
        }();
        EXPECT_NE(layers::leaks::report(before), "");
    }
    EXPECT_EQ(layers::leaks::report(before), "");
    layers::leaks::stop();
}

TEST_F(StridedViewTest, RejectsElementsOutsideOfABuffer) {
    const TypedBuffer<int> buffer = device.allocate<int>(stream, 6);
    EXPECT_NO_THROW(static_cast<void>(StridedView(buffer, {2, 2}, {4, 1})));
    EXPECT_NO_THROW(static_cast<void>(StridedView(buffer, {0, 100})));
    EXPECT_THAT(mistake([&] {
                    (void)StridedView(buffer, {2, 2}, {5, 1});
                }),
                AllOf(HasSubstr("(5, 1)"), HasSubstr("to 6"), HasSubstr("24 bytes")));
    EXPECT_THAT(mistake([&] { (void)StridedView(buffer, {2}, {-1}); }), HasSubstr("offset -1"));
    EXPECT_THAT(mistake([&] { (void)StridedView(buffer.bytes(), data_type<double>, {4}); }), HasSubstr("3 elements"));
    EXPECT_THROW(static_cast<void>(StridedView(Buffer(), data_type<double>, {0})), std::invalid_argument);
}

TEST_F(StridedViewTest, RejectsImpossibleLayouts) {
    int value = 0;
    const auto view_of = [&](const Dimensions& shape, const Dimensions& strides = {}) {
        (void)StridedView({.data = &value, .dtype = data_type<int>, .shape = shape, .strides = strides});
    };
    EXPECT_THAT(mistake([&] { view_of({2, -1}); }), HasSubstr("(2, -1)"));
    EXPECT_THAT(mistake([&] { view_of({2, 2}, {1}); }), AllOf(HasSubstr("2 dimensions"), HasSubstr("have 1")));
    EXPECT_THAT(mistake([&] { view_of({huge, 4}); }), HasSubstr("too large"));
    EXPECT_THAT(mistake([&] { view_of({huge / 4}); }), HasSubstr("too large"));
    EXPECT_THAT(mistake([&] { view_of({3}, {huge}); }), HasSubstr("too large"));
    EXPECT_THAT(mistake([&] { view_of({3}, {-huge}); }), HasSubstr("too large"));
    EXPECT_THAT(mistake([&] { view_of({2, 2}, {huge / 2, huge / 2}); }), HasSubstr("too large"));
    EXPECT_NO_THROW(view_of({0, 4}, {huge, huge}));
    EXPECT_THAT(mistake([] { (void)StridedView(StridedMemory{.shape = {1}}); }), HasSubstr("nullptr"));
    EXPECT_NO_THROW(static_cast<void>(StridedView(StridedMemory{.shape = {0}})));
}

TEST_F(StridedViewTest, AsksTheDriverForTheKindOfMemory) {
    const TypedBuffer<int> buffer = device.allocate<int>(stream, 6);
    auto owner = std::make_shared<int>(0);
    const StridedView view = StridedView::view_of(buffer.span().data(), {6}, {}, owner);
    EXPECT_EQ(view.device(), device);
    EXPECT_EQ(view.owner(), owner);
    EXPECT_EQ(owner.use_count(), 2);
    const std::vector<double> values(4);
    const StridedView on_host = StridedView::view_of(values.data(), {2, 2});
    EXPECT_EQ(on_host.memory_type(), MemoryType::unregistered);
    EXPECT_TRUE(on_host.is_readonly());
    EXPECT_EQ(on_host.owner(), nullptr);
}

// ---- spans ---------------------------------------------------------------------------------------------------------------

TEST_F(StridedViewTest, ReturnsTypedElements) {
    std::vector<int> values = numbers(12);
    const StridedView view = host_view(values, {2, 3}, {6, 2});
    const auto span = view.span<int, 2>();
    static_assert(std::is_trivially_copyable_v<decltype(span)> && sizeof span == 40);
    EXPECT_EQ(span(1, 2), 10);
    EXPECT_EQ(span.size(), 6);
    EXPECT_EQ(span.rank(), 2);
    EXPECT_EQ((view.select(0, 1).span<const int, 1>()[1]), 8);
    EXPECT_EQ((view.select(0, 1).select(0, 0).span<int, 0>()()), 6);
    EXPECT_THAT(mistake([&] { (void)view.span<float, 2>(); }), AllOf(HasSubstr("int32"), HasSubstr("float32")));
    EXPECT_THAT(mistake([&] { (void)view.span<int, 3>(); }), AllOf(HasSubstr("2 dimensions"), HasSubstr("not 3")));
    EXPECT_THAT(mistake([&] { (void)view.as_readonly().span<int, 2>(); }), HasSubstr("read-only"));
    EXPECT_EQ((view.as_readonly().span<const int, 2>()(0, 1)), 2);
    const StridedView odd({.data = reinterpret_cast<char*>(values.data()) + 2, .dtype = data_type<int>, .shape = {2}});
    EXPECT_THAT(mistake([&] { (void)odd.span<int, 1>(); }), HasSubstr("multiple of 4"));
}

// ---- shapes --------------------------------------------------------------------------------------------------------------

TEST_F(StridedViewTest, ReportsContiguousElements) {
    std::vector<int> values = numbers(24);
    const auto orders_of = [&](const Dimensions& shape, const Dimensions& strides) {
        const StridedView view = host_view(values, shape, strides);
        return std::array{view.is_contiguous(), view.is_contiguous(MemoryOrder::column_major)};
    };
    EXPECT_THAT(orders_of({2, 3}, {3, 1}), ElementsAre(true, false));
    EXPECT_THAT(orders_of({2, 3}, {1, 2}), ElementsAre(false, true));
    EXPECT_THAT(orders_of({2, 3}, {6, 2}), ElementsAre(false, false));
    EXPECT_THAT(orders_of({6}, {1}), ElementsAre(true, true));
    EXPECT_THAT(orders_of({6, 1}, {1, 77}), ElementsAre(true, true));
    EXPECT_THAT(orders_of({1, 1}, {5, 7}), ElementsAre(true, true));
    EXPECT_THAT(orders_of({0, 3}, {5, 7}), ElementsAre(true, true));
    EXPECT_TRUE(host_view(values, {}).is_contiguous());
}

TEST_F(StridedViewTest, SelectsParts) {
    std::vector<int> values = numbers(12);
    const StridedView view = host_view(values, {3, 4});
    EXPECT_THAT(elements_of(view.slice(0, 1, 3)), ElementsAre(4, 5, 6, 7, 8, 9, 10, 11));
    EXPECT_THAT(elements_of(view.slice(1, 1, 4, 2)), ElementsAre(1, 3, 5, 7, 9, 11));
    EXPECT_EQ(view.slice(1, 0, 4, 3).shape(), Dimensions({3, 2}));
    EXPECT_EQ(view.slice(1, 4, 4).size(), 0u);
    EXPECT_THAT(elements_of(view.select(1, 2)), ElementsAre(2, 6, 10));
    EXPECT_THAT(elements_of(view.reverse(0).select(1, 0)), ElementsAre(8, 4, 0));
    EXPECT_THAT(elements_of(view.reverse(1).slice(1, 0, 4, 2).select(0, 0)), ElementsAre(3, 1));
    EXPECT_THAT(mistake([&] { (void)view.slice(1, 2, 5); }), AllOf(HasSubstr("from 2 to 5"), HasSubstr("4 elements")));
    EXPECT_THAT(mistake([&] { (void)view.slice(1, 2, 1); }), HasSubstr("from 2 to 1"));
    EXPECT_THAT(mistake([&] { (void)view.slice(1, 0, 1, 0); }), HasSubstr("step of 0"));
    EXPECT_THAT(mistake([&] { (void)view.slice(2, 0, 1); }), HasSubstr("dimension 2"));
    EXPECT_THAT(mistake([&] { (void)view.select(0, 3); }), AllOf(HasSubstr("index 3"), HasSubstr("3 elements")));
    EXPECT_THAT(mistake([&] { (void)view.reverse(7); }), HasSubstr("dimension 7"));
}

TEST_F(StridedViewTest, ReordersDimensions) {
    std::vector<int> values = numbers(24);
    const StridedView view = host_view(values, {2, 3, 4});
    EXPECT_EQ(view.transpose().shape(), Dimensions({4, 3, 2}));
    EXPECT_TRUE(view.transpose().is_contiguous(MemoryOrder::column_major));
    const StridedView permuted = view.permute({1, 2, 0});
    EXPECT_EQ(permuted.shape(), Dimensions({3, 4, 2}));
    EXPECT_EQ(permuted.strides(), Dimensions({4, 1, 12}));
    for (const Dimensions& order : {Dimensions{0, 1}, Dimensions{0, 1, 1}, Dimensions{0, 1, 3}, Dimensions{0, -1, 1}}) {
        EXPECT_THAT(mistake([&] { (void)view.permute(order); }), HasSubstr(to_string(order)));
    }
}

TEST_F(StridedViewTest, ReshapesWithoutCopy) {
    std::vector<int> values = numbers(24);
    const StridedView view = host_view(values, {2, 3, 4});
    EXPECT_EQ(view.reshape({6, 4}).strides(), Dimensions({4, 1}));
    EXPECT_EQ(view.reshape({-1}).shape(), Dimensions({24}));
    EXPECT_EQ(view.reshape({4, 1, -1, 1}).shape(), Dimensions({4, 1, 6, 1}));
    EXPECT_EQ(view.select(2, 1).reshape({6}).strides(), Dimensions({4}));  // (2, 3) of strides (12, 4)
    const StridedView padded = host_view(values, {2, 3, 2}, {12, 4, 1});
    EXPECT_EQ(padded.reshape({6, 2}).strides(), Dimensions({4, 1}));
    EXPECT_EQ(elements_of(padded.reshape({3, 2, 2})), elements_of(padded));
    EXPECT_THAT(mistake([&] { (void)padded.reshape({4, 3}); }), AllOf(HasSubstr("(12, 4, 1)"), HasSubstr("copy")));
    EXPECT_THAT(mistake([&] { (void)view.transpose().reshape({24}); }), HasSubstr("(1, 4, 12)"));
    EXPECT_EQ(view.select(0, 0).select(0, 0).select(0, 0).reshape({1, 1}).size(), 1u);
    EXPECT_EQ(view.slice(0, 0, 0).reshape({5, 0}).shape(), Dimensions({5, 0}));
    EXPECT_THAT(mistake([&] { (void)view.reshape({5, 5}); }), AllOf(HasSubstr("(5, 5)"), HasSubstr("24 elements")));
    EXPECT_THAT(mistake([&] { (void)view.reshape({-1, 5}); }), HasSubstr("24 elements"));
    EXPECT_THAT(mistake([&] { (void)view.reshape({-1, -1}); }), HasSubstr("-1"));
    EXPECT_THAT(mistake([&] { (void)view.slice(0, 0, 0).reshape({-1, 0}); }), HasSubstr("0 elements"));
    EXPECT_THAT(mistake([&] { (void)view.reshape({huge, huge}); }), HasSubstr("24 elements"));
}

TEST_F(StridedViewTest, RepeatsElements) {
    std::vector<int> values = numbers(3);
    const StridedView view = host_view(values, {3, 1});
    const StridedView repeated = view.broadcast_to({2, 3, 2});
    EXPECT_EQ(repeated.strides(), Dimensions({0, 1, 0}));
    EXPECT_TRUE(repeated.is_readonly());
    EXPECT_THAT(elements_of(repeated), ElementsAre(0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2));
    EXPECT_FALSE(repeated.is_contiguous());
    EXPECT_THAT(mistake([&] { (void)view.broadcast_to({4, 1}); }), AllOf(HasSubstr("(3, 1)"), HasSubstr("(4, 1)")));
    EXPECT_THAT(mistake([&] { (void)view.broadcast_to({3}); }), HasSubstr("(3)"));
    EXPECT_THAT(mistake([&] { (void)view.broadcast_to({3, huge}); }), HasSubstr("too large"));
    EXPECT_THAT(mistake([&] { (void)view.broadcast_to({3, -1}); }), HasSubstr("negative"));
}

TEST_F(StridedViewTest, AddsAndRemovesDimensionsOfOneElement) {
    std::vector<int> values = numbers(6);
    const StridedView view = host_view(values, {2, 3});
    EXPECT_EQ(view.unsqueeze(0).shape(), Dimensions({1, 2, 3}));
    EXPECT_EQ(view.unsqueeze(1).strides(), Dimensions({3, 3, 1}));
    EXPECT_EQ(view.unsqueeze(2).shape(), Dimensions({2, 3, 1}));
    EXPECT_EQ(view.unsqueeze(1).unsqueeze(0).squeeze().shape(), view.shape());
    EXPECT_THAT(mistake([&] { (void)view.unsqueeze(3); }), HasSubstr("dimension 3"));
    const StridedView empty = host_view(values, {0, 2}, {huge, huge});
    EXPECT_EQ(empty.unsqueeze(1).size() + empty.reverse(1).size() + empty.slice(1, 0, 2, 2).size() + empty.select(1, 1).size(),
              0u);
}

TEST_F(StridedViewTest, ReportsEveryFailedCall) {
    const TypedBuffer<int> buffer = device.allocate<int>(stream, 6);
    sweep([&] {
        const StridedView view = StridedView::view_of(buffer.span().data(), {6});
        EXPECT_EQ(view.device(), device);
        const Buffer other = Buffer::view_of(buffer.native_handle(), 24);
        EXPECT_EQ(StridedView(other, data_type<int>, {6}).memory_type(), MemoryType::device);
    });
}

}  // namespace
}  // namespace cubind::testing

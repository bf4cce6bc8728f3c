// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/math_base/operand.hpp>

#include <concepts>
#include <span>
#include <type_traits>

#include "math_test.hpp"

namespace cubind::testing {
namespace {

using math::Operand;
using math::Output;

// What is constant cannot be written.
static_assert(std::convertible_to<std::span<const float>, Operand>);
static_assert(std::convertible_to<std::span<float>, Output>);
static_assert(!std::convertible_to<std::span<const float>, Output>);
static_assert(std::convertible_to<StridedSpan<const float, 2>, Operand>);
static_assert(!std::convertible_to<StridedSpan<const float, 2>, Output>);
static_assert(!std::convertible_to<float*, Operand>, "an address has no size");

class OperandTest : public CoreTest {
protected:
    Stream stream_{Device(1)};
};

TEST_F(OperandTest, RefersToABuffer) {
    const TypedBuffer<double> buffer = Device(1).allocate<double>(stream_, 6);
    const Operand operand(buffer);
    EXPECT_EQ(operand.data(), reinterpret_cast<void*>(buffer.native_handle()));
    EXPECT_EQ(operand.dtype(), data_type<double>);
    EXPECT_EQ(operand.shape(), Dimensions{6});
    EXPECT_EQ(operand.strides(), Dimensions{1});
    EXPECT_EQ(operand.rank(), 1u);
    EXPECT_EQ(operand.size(), 6);
    EXPECT_FALSE(operand.is_readonly());
    EXPECT_TRUE(operand.is_device_accessible());
    EXPECT_EQ(operand.device(), Device(1));
    EXPECT_NE(operand.share(), nullptr);
}

TEST_F(OperandTest, RefersToAView) {
    const StridedView whole(Device(1).allocate<float>(stream_, 12), {3, 4});
    const StridedView part = whole.transpose().slice(0, 1, 3);
    const Operand operand(part);
    EXPECT_EQ(operand.data(), static_cast<float*>(whole.data()) + 1);
    EXPECT_EQ(operand.shape(), (Dimensions{2, 3}));
    EXPECT_EQ(operand.strides(), (Dimensions{1, 4}));
    EXPECT_EQ(operand.extent(1), 3);
    EXPECT_EQ(operand.size(), 6);
    EXPECT_EQ(operand.device(), Device(1));
    EXPECT_EQ(operand.share(), whole.owner());
    EXPECT_TRUE(Operand(whole.as_readonly()).is_readonly());
    float on_host[2] = {};
    EXPECT_FALSE(Operand(StridedView({.data = on_host, .dtype = data_type<float>, .shape = {2}})).is_device_accessible());
}

TEST_F(OperandTest, RefersToSpans) {
    const TypedBuffer<int> buffer = Device(1).allocate<int>(stream_, 6);
    const std::span<int> elements = buffer.span();
    const Operand whole(elements), constant((std::span<const int>(elements)));
    EXPECT_EQ(whole.data(), elements.data());
    EXPECT_EQ(whole.shape(), Dimensions{6});
    EXPECT_FALSE(whole.is_readonly());
    EXPECT_TRUE(constant.is_readonly());
    EXPECT_EQ(constant.dtype(), data_type<int>);
    EXPECT_EQ(whole.device(), std::nullopt) << "nobody knows whose the memory is";
    EXPECT_EQ(whole.share(), nullptr);
    const Output strided(StridedSpan<int, 2>{elements.data(), {2, 2}, {3, 1}});
    EXPECT_EQ(strided.shape(), (Dimensions{2, 2}));
    EXPECT_EQ(strided.strides(), (Dimensions{3, 1}));
    EXPECT_EQ(Operand(StridedSpan<const int, 0>{elements.data(), {}, {}}).size(), 1);
}

TEST_F(OperandTest, RefersToNoElements) {
    const TypedBuffer<float> empty = Device(1).allocate<float>(stream_, 0);
    EXPECT_EQ(Operand(empty).size(), 0);
    EXPECT_EQ(Operand(empty).data(), nullptr);
    EXPECT_EQ(Operand(std::span<float>()).shape(), Dimensions{0});
    TypedBuffer<float> closed = Device(1).allocate<float>(stream_, 1);
    closed.close();
    EXPECT_THROW(Operand{closed}, std::invalid_argument);
}

}  // namespace
}  // namespace cubind::testing

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>

#include <cstddef>
#include <memory>
#include <vector>

#include "math_test.hpp"
#include "operand/checks.hpp"

namespace cubind::testing {
namespace {

using math::detail::check_operands;
using ::testing::AllOf;
using ::testing::HasSubstr;

class ChecksTest : public CoreTest {
protected:
    StridedView tensor(const Dimensions& shape) { return StridedView(Device(0).allocate<float>(stream_, 64), shape); }
    /// Returns the message of the refusal of an output d beside an input a.
    static std::string refusal(const math::Operand& a, const math::Operand& d, const char* in_place = nullptr) {
        return message_of<std::invalid_argument>([&] {
            check_operands("product", Device(0), {{"a", &a}, {"b", nullptr}, {"d", &d, true}}, in_place);
        });
    }
    static void accept(const math::Operand& a, const math::Operand& d, const char* in_place = nullptr) {
        EXPECT_NO_THROW(check_operands("product", Device(0), {{"a", &a}, {"d", &d, true}}, in_place));
    }

    Stream stream_{Device(0)};
    StridedView a_ = tensor({4, 4}), d_ = tensor({4, 4});
};

TEST_F(ChecksTest, DescribeOperands) {
    EXPECT_EQ(math::detail::describe("a", a_.transpose().slice(0, 0, 2)), "a is float32 (2, 4) with strides (1, 4)");
}

TEST_F(ChecksTest, AcceptSeparateMemory) {
    accept(a_, d_);
    accept(d_.slice(0, 0, 2), d_.slice(0, 2, 4));
    accept(a_.as_readonly(), d_);
    accept(a_.reverse(0), d_.reverse(1));
    accept(tensor({4}).broadcast_to({4, 4}), d_);
    accept(d_.slice(0, 0, 0), d_);
    accept(a_, d_.slice(1, 2, 2));
}

TEST_F(ChecksTest, RefuseMemoryThatTheDeviceCannotUse) {
    std::vector<float> host(16);
    EXPECT_THAT(refusal(StridedView({.data = host.data(), .dtype = data_type<float>, .shape = {4, 4}}), d_),
                AllOf(HasSubstr("product: a is float32 (4, 4)"), HasSubstr("pageable memory"), HasSubstr("device 0")));
    Stream other{Device(1)};
    const TypedBuffer<float> of_other = Device(1).allocate<float>(other, 16);
    EXPECT_THAT(refusal(of_other, d_), AllOf(HasSubstr("a is in memory of device 1"), HasSubstr("device 0")));
    EXPECT_THAT(refusal(a_, of_other), HasSubstr("d is in memory of device 1"));
    EXPECT_THAT(refusal(std::span<float>(static_cast<float*>(nullptr), 4), d_), HasSubstr("its address is null"));
    accept(std::span<float>(), d_);
    const TypedBuffer<float> pinned = PinnedMemoryResource().allocate<float>(stream_, 16);
    accept(pinned, d_);
}

TEST_F(ChecksTest, RefuseOutputsThatCannotBeWritten) {
    EXPECT_THAT(refusal(a_, d_.as_readonly()), HasSubstr("d is written, but the view is read-only"));
    const StridedView overlapping(
        {.data = d_.data(), .dtype = data_type<float>, .shape = {3, 3}, .strides = {2, 1}, .memory_type = MemoryType::device});
    EXPECT_THAT(refusal(a_, overlapping),
                AllOf(HasSubstr("float32 (3, 3) with strides (2, 1)"), HasSubstr("several indices refer to one element")));
    const StridedView repeated(
        {.data = d_.data(), .dtype = data_type<float>, .shape = {3, 3}, .strides = {0, 1}, .memory_type = MemoryType::device});
    EXPECT_THAT(refusal(a_, repeated), HasSubstr("several indices"));
    // The elements 0, 2, 4 and 3, 5, 7 are distinct, although the dimensions interleave.
    const StridedView interleaved(
        {.data = d_.data(), .dtype = data_type<float>, .shape = {2, 3}, .strides = {3, 2}, .memory_type = MemoryType::device});
    accept(a_, interleaved);
}

TEST_F(ChecksTest, RefuseOverlappingMemory) {
    EXPECT_THAT(refusal(d_, d_), AllOf(HasSubstr("d and a overlap"), HasSubstr("write to other memory")));
    EXPECT_THAT(refusal(d_.slice(0, 1, 3), d_.slice(0, 0, 2)), HasSubstr("overlap"));
    EXPECT_THAT(refusal(d_.reverse(0).slice(0, 0, 2), d_.slice(0, 2, 4)), HasSubstr("overlap"));
    accept(d_.reverse(0).slice(0, 0, 2), d_.slice(0, 0, 2));
}

TEST_F(ChecksTest, AcceptTheSameArrayInPlace) {
    accept(d_, d_, "a");
    EXPECT_THAT(refusal(d_.transpose(), d_, "a"), AllOf(HasSubstr("overlap"), HasSubstr("the same array")));
    EXPECT_THAT(refusal(d_, d_, "c"), HasSubstr("write to other memory"));
}

TEST_F(ChecksTest, RefuseOtherLayoutsWithBothSides) {
    const math::Operand operand(a_);
    const auto message = [](auto call) { return message_of<std::invalid_argument>(call); };
    using namespace math::detail;
    check_type("product", "a", operand, data_type<float>);
    EXPECT_THAT(message([&] { check_type("product", "a", operand, data_type<double>); }),
                AllOf(HasSubstr("float32"), HasSubstr("float64")));
    check_shape("product", "a", operand, {4, 4});
    EXPECT_THAT(message([&] { check_shape("product", "a", operand, {4}); }), AllOf(HasSubstr("(4, 4)"), HasSubstr("(4)")));
    check_strides("product", "a", operand, {4, 1});
    EXPECT_THAT(message([&] {
                    check_strides("product", "a", operand, {1, 4});
                }),
                AllOf(HasSubstr("(4, 1)"), HasSubstr("(1, 4)")));
    check_rank("product", "a", operand, 1, 2);
    EXPECT_THAT(message([&] { check_rank("product", "a", operand, 3, 3); }),
                AllOf(HasSubstr("2 dimensions, but 3"), HasSubstr("(4, 4)")));
    EXPECT_THAT(message([&] { check_rank("product", "a", operand, 0, 1); }), HasSubstr("0 to 1"));
    check_alignment("product", "a", operand, 256);
    EXPECT_THAT(message([&] { check_alignment("product", "a", a_.slice(1, 1, 2), 16); }),
                AllOf(HasSubstr("4 bytes above"), HasSubstr("16")));
}

TEST_F(ChecksTest, RetainOperandsForAGraph) {
    auto view = std::make_unique<StridedView>(tensor({4}));
    auto buffer = std::make_unique<TypedBuffer<float>>(Device(0).allocate<float>(stream_, 4));
    const std::weak_ptr<const void> of_view = view->owner();
    std::weak_ptr<const void> of_buffer;
    GraphBuilder builder{Device(0)};
    builder.begin_building();
    {
        const math::Operand a(*view), b(*buffer), c(std::span<float>(static_cast<float*>(a_.data()), 4));
        of_buffer = b.share();
        math::detail::retain_for_capture(builder, {{"a", &a}, {"b", &b}, {"c", &c}, {"d", nullptr}});
        math::detail::retain_for_capture(stream_, {{"a", &a}});  // captures nothing
    }
    builder.end_building();
    view.reset();
    buffer.reset();
    {
        const Graph graph = builder.complete();
        EXPECT_FALSE(of_view.expired());
        EXPECT_FALSE(of_buffer.expired());
    }
    builder.close();
    destroy_deferred_objects();
    EXPECT_TRUE(of_view.expired());
    EXPECT_TRUE(of_buffer.expired());
}

}  // namespace
}  // namespace cubind::testing

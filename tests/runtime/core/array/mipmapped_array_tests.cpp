// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/array/mipmapped_array.hpp>

#include "array_test.hpp"

namespace cubind::testing {
namespace {

using MipmappedArrayTest = ArraysTest;

const ArrayOptions plane{.format = ArrayFormat::of<float>(), .width = 20, .height = 5};

bool exists(driver::CUmipmappedArray array) {
    const layers::Unobserved own_call;
    return driver::cuMipmappedArrayGetLevel(array, 0).ok();
}

TEST_F(MipmappedArrayTest, HasLevelsOfHalvedExtents) {
    const MipmappedArray array = device.create_mipmapped_array(plane);
    ASSERT_EQ(array.level_count(), 5u);
    const Extent3D extents[] = {{20, 5, 1}, {10, 2, 1}, {5, 1, 1}, {2, 1, 1}, {1, 1, 1}};
    for (unsigned int i = 0; i < 5; ++i) {
        const ArrayRef level = array.level(i);
        EXPECT_EQ(level.extent(), extents[i]);
        EXPECT_EQ(level.native_handle(), check(driver::cuMipmappedArrayGetLevel(array.native_handle(), i)));
        const MipmappedArrayRef foreign = array.native_handle();
        EXPECT_EQ(foreign.level(i), level);
        EXPECT_EQ(foreign.level(i).options(), level.options());
    }
    EXPECT_EQ(array.options(), plane);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(MipmappedArrayTest, HasTheRequestedNumberOfLevels) {
    EXPECT_EQ(device.create_mipmapped_array(plane, 2).level_count(), 2u);
    EXPECT_EQ(MipmappedArray(device, {.format = plane.format, .width = 8, .height = 8, .depth = 32}).level_count(), 6u);
    const MipmappedArray layers(device, {.format = plane.format, .width = 8, .height = 8, .layers = 3});
    EXPECT_EQ(layers.level_count(), 4u);
    EXPECT_EQ(layers.level(3).extent(), (Extent3D{1, 1, 3}));
}

TEST_F(MipmappedArrayTest, RejectsLevelsThatCannotExist) {
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)MipmappedArray(device, plane, 6); }),
                AllOf(HasSubstr("20 x 5"), HasSubstr("6 levels"), HasSubstr("at most 5")));
    const MipmappedArray array(device, plane, 2);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)array.level(2); }),
                AllOf(HasSubstr("level(2)"), HasSubstr("2 levels")));
    const MipmappedArrayRef foreign = array.native_handle();
    EXPECT_THAT(message_of<Error>([&] { (void)foreign.level(2); }), HasSubstr("Level 2"));
    EXPECT_THROW((void)foreign.level_count(), std::invalid_argument);
    EXPECT_THAT(message_of<Error>([&] { (void)MipmappedArray(device, {.format = plane.format, .width = 1u << 20}); }),
                AllOf(HasSubstr("cuMipmappedArrayCreate"), HasSubstr("width is 1048576")));
}

TEST_F(MipmappedArrayTest, OwnsTheHandle) {
    MipmappedArray array(device, plane);
    const driver::CUmipmappedArray handle = array.native_handle();
    const std::shared_ptr<const void> retained = detail::share(array.level(1));  // retains the whole mipmapped array
    EXPECT_EQ(retained, detail::share(array));
    MipmappedArray moved = std::move(array);
    EXPECT_TRUE(array.is_closed());
    EXPECT_THROW((void)array.level(0), std::invalid_argument);
    EXPECT_EQ(moved.release(), handle);
    MipmappedArray taken = MipmappedArray::from_native_handle(handle, 5);
    EXPECT_EQ(taken.options(), plane);
    taken.close();
    EXPECT_FALSE(exists(handle));
}

TEST_F(MipmappedArrayTest, IsRetainedBySharedReferencesOfLevels) {
    MipmappedArray array(device, plane);
    const driver::CUmipmappedArray handle = array.native_handle();
    std::shared_ptr<const void> retained = detail::share(array.level(1));
    array.close();
    EXPECT_TRUE(exists(handle));
    retained.reset();
    EXPECT_FALSE(exists(handle));
}

TEST_F(MipmappedArrayTest, SweepReportsEachFailure) {
    device.set_current();
    sweep([&] { MipmappedArray(device, plane, 2).close(); }, {"cuCtxGetCurrent"});
    const MipmappedArray array(device, plane);
    const MipmappedArrayRef foreign = array.native_handle();
    sweep([&] { (void)foreign.level(1); }, {"cuCtxGetCurrent"});
}

}  // namespace
}  // namespace cubind::testing

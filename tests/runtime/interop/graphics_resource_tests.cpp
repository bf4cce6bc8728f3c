// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/copy.hpp>
#include <cubind/interop/graphics_resource.hpp>

#include <optional>
#include <vector>

#include "graphics_stand_in.hpp"
#include "interop_test.hpp"

namespace cubind::testing {
namespace {

using Options = GraphicsResourceOptions;

constexpr unsigned int texture_2d = 0x0DE1;  // GL_TEXTURE_2D

/// Two buffers of OpenGL, named 1 and 2, and an image, named 3.
class GraphicsResourceTest : public InteropTest {
protected:
    void SetUp() override {
        InteropTest::SetUp();
        graphics.objects[1] = {first.native_handle(), first.size()};
        graphics.objects[2] = {second.native_handle(), second.size()};
        graphics.objects[3] = {0, 0, levels.level(0).native_handle(), levels.native_handle()};
    }

    GraphicsResource buffer(unsigned int name = 1) { return GraphicsResource::from_gl_buffer(device, name); }
    GraphicsResource image() { return GraphicsResource::from_gl_image(device, 3, texture_2d); }

    Buffer first = device.allocate(stream, 64), second = device.allocate(stream, 128);
    MipmappedArray levels{device, {.format = ArrayFormat::of<float>(), .width = 4, .height = 4}, 1};
    GraphicsStandIn graphics;
};

TEST_F(GraphicsResourceTest, RegistersWithTheFlags) {
    {
        const auto resource = GraphicsResource::from_gl_buffer(device, 1, {.access = GraphicsAccess::write_discard});
        EXPECT_EQ(graphics.only().flags, unsigned{driver::CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD});
        EXPECT_EQ(graphics.only().target, 0u);
    }
    EXPECT_THAT(graphics.log, ElementsAre("unregister"));
    const auto resource = GraphicsResource::from_gl_image(
        device, 3, texture_2d, {.access = GraphicsAccess::read_only, .surface_load_store = true, .texture_gather = true});
    EXPECT_EQ(graphics.only().flags, 1u | 4u | 8u);
    EXPECT_EQ(graphics.only().target, texture_2d);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(GraphicsResourceTest, MapsABufferForAScope) {
    const GraphicsResource resource = buffer();
    const std::vector<int> written{1, 2, 3, 4};
    {
        const GraphicsMapping mapping = resource.map(stream);
        EXPECT_TRUE(resource.is_mapped());
        EXPECT_TRUE(mapping.is_mapped());
        EXPECT_EQ(graphics.only().mapped_on, stream.native_handle());
        Buffer bytes = mapping.buffer();
        EXPECT_EQ(bytes.native_handle(), first.native_handle());
        EXPECT_EQ(bytes.size(), 64u);
        copy(stream, bytes, written);
    }
    EXPECT_FALSE(resource.is_mapped());
    EXPECT_THAT(graphics.log, ElementsAre("map 1", "unmap 1"));
    std::vector<int> read(4);
    copy(stream, read, std::as_const(first).span<int>().first(4));
    stream.synchronize();
    EXPECT_EQ(read, written);
}

TEST_F(GraphicsResourceTest, MapsAnImageAsArrays) {
    const GraphicsResource resource = image();
    GraphicsMapping mapping = resource.map(stream);
    EXPECT_EQ(mapping.array(), levels.level(0));
    EXPECT_EQ(mapping.mipmapped_array(), levels);
    EXPECT_THAT(message_of<Error>([&] { (void)mapping.array(0, 2, 1); }), AllOf(HasSubstr("Layer 2"), HasSubstr("level 1")));
    EXPECT_THAT(message_of<Error>([&] { (void)mapping.buffer(); }), HasSubstr("array()"));
    mapping.unmap();
    EXPECT_FALSE(mapping.is_mapped());
    EXPECT_THROW((void)mapping.array(), std::invalid_argument);
    mapping.unmap();  // does nothing
    EXPECT_THAT(graphics.log, ElementsAre("map 1", "unmap 1"));
}

TEST_F(GraphicsResourceTest, UnmapsNothingAfterAResetOfTheDevice) {
    {
        const GraphicsResource one = buffer(1), two = buffer(2);
        const GraphicsMapping mapping(stream, {one});
        GraphicsMapping other(stream, {two});
        device.reset();
        EXPECT_NO_THROW(other.unmap()) << "the driver has released the resource";
    }
    EXPECT_THAT(graphics.log, ElementsAre("map 1", "map 1"));
}

TEST_F(GraphicsResourceTest, MapsSeveralResourcesInOneCall) {
    const GraphicsResource one = buffer(1), two = buffer(2);
    GraphicsMapping mapping(stream, {one, two});
    EXPECT_EQ(mapping.count(), 2u);
    EXPECT_EQ(mapping.buffer(1).size(), 128u);
    expect_misuse([&] { (void)mapping.buffer(2); }, "resource 2", "2 resources");
    EXPECT_THAT(message_of<Error>([&] { (void)mapping.array(1); }), HasSubstr("buffer()"));
    const Stream other(device);
    expect_misuse([&] { mapping.unmap(Stream()); }, "Stream");
    EXPECT_TRUE(mapping.is_mapped());
    mapping.unmap(other);
    EXPECT_EQ(graphics.only().mapped_on, other.native_handle());
    EXPECT_THAT(graphics.log, ElementsAre("map 2", "unmap 2"));
}

TEST_F(GraphicsResourceTest, MovesMappings) {
    const GraphicsResource one = buffer(1), two = buffer(2);
    GraphicsMapping mapping = one.map(stream);
    GraphicsMapping moved = std::move(mapping);
    EXPECT_FALSE(mapping.is_mapped());
    moved = two.map(stream);
    EXPECT_FALSE(one.is_mapped());
    EXPECT_TRUE(two.is_mapped());
    EXPECT_EQ(moved.buffer().size(), 128u);
}

TEST_F(GraphicsResourceTest, IsRetainedByItsMapping) {
    GraphicsResource resource = buffer();
    std::optional<Stream> own_stream(device);
    GraphicsMapping mapping = resource.map(*own_stream);
    resource.close();
    own_stream.reset();
    EXPECT_EQ(mapping.buffer().size(), 64u);
    mapping.unmap();
    EXPECT_THAT(graphics.log, ElementsAre("map 1", "unmap 1", "unregister"));
}

TEST_F(GraphicsResourceTest, RejectsMisuse) {
    expect_misuse([&] { (void)buffer(0); }, "0 is not the name");
    expect_misuse([&] { (void)GraphicsResource::from_gl_image(device, 0, texture_2d); }, "0 is not the name");
    expect_misuse([&] { (void)GraphicsResource::from_gl_buffer(device, 1, {.surface_load_store = true}); }, "options of images");
    EXPECT_THAT(message_of<Error>([&] { (void)buffer(9); }),
                AllOf(HasSubstr("cuGraphicsGLRegisterBuffer"), HasSubstr("buffer 9"), HasSubstr("OpenGL context")));
    const GraphicsResource resource = buffer(), other = buffer(2);
    expect_misuse([&] { (void)GraphicsMapping(stream, {}); }, "no resources");
    expect_misuse([&] { (void)GraphicsMapping(stream, {resource, resource}); }, "twice");
    EXPECT_FALSE(resource.is_mapped());
    GraphicsMapping mapping = resource.map(stream);
    expect_misuse([&] { (void)GraphicsMapping(stream, {other, resource}); }, "mapped already");
    EXPECT_FALSE(other.is_mapped());
    EXPECT_TRUE(resource.is_mapped());
    expect_misuse([&] { resource.set_access(GraphicsAccess::read_only); }, "while it is mapped");
    mapping.unmap();
    resource.set_access(GraphicsAccess::read_only);
    EXPECT_THROW((void)GraphicsResource().map(stream), std::invalid_argument);
}

TEST_F(GraphicsResourceTest, OwnsTheHandle) {
    GraphicsResource resource = buffer();
    const driver::CUgraphicsResource handle = resource.release();
    EXPECT_TRUE(resource.is_closed());
    const GraphicsResourceRef foreign = handle;
    EXPECT_THROW((void)foreign.is_mapped(), std::invalid_argument);
    foreign.set_access(GraphicsAccess::write_discard);
    EXPECT_EQ(graphics.only().map_flags, 2u);
    EXPECT_EQ(foreign.map(stream).buffer().size(), 64u);
    GraphicsResource adopted = GraphicsResource::from_native_handle(handle);
    EXPECT_EQ(adopted, foreign);
    adopted.close();
    EXPECT_TRUE(graphics.registered.empty());
}

TEST_F(GraphicsResourceTest, SurvivesAFailureOfEachCall) {
    sweep([&] {
        GraphicsResource resource = buffer();
        resource.set_access(GraphicsAccess::read_only);
        GraphicsMapping mapping = resource.map(stream);
        (void)mapping.buffer();
        mapping.unmap();
        resource.close();
    });
    sweep([&] {
        GraphicsResource resource = image();
        GraphicsMapping mapping = resource.map(stream);
        (void)mapping.array();
        (void)mapping.mipmapped_array();
        mapping.unmap();
        resource.close();
    });
}

}  // namespace
}  // namespace cubind::testing

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/core/memory/virtual_buffer.hpp>
#include <cubind/driver/external_resource.hpp>
#include <cubind/interop/external_memory.hpp>

#include <numeric>
#include <vector>

#include "interop_test.hpp"

namespace cubind::testing {
namespace {

class ExternalMemoryTest : public InteropTest {
protected:
    static constexpr std::size_t size = 65536;

    ExternalMemory import_file(const ExternalMemoryOptions& options = {}) {
        return ExternalMemory(device, file.descriptor(), size, options);
    }

    ExportedFile file{size};
};

TEST_F(ExternalMemoryTest, IsWrittenByWorkAndReadOutside) {
    const ExternalMemory memory = import_file({.dedicated = true});
    EXPECT_EQ(memory.size(), size);
    Buffer buffer = memory.map_buffer(stream);
    EXPECT_EQ(buffer.size(), size);
    EXPECT_EQ(buffer.device(), device);
    EXPECT_FALSE(buffer.is_host_accessible());
    fill(stream, buffer, std::uint32_t{7});
    stream.synchronize();
    EXPECT_EQ(file.data<std::uint32_t>()[0], 7u);
    EXPECT_EQ(file.data<std::uint32_t>()[size / 4 - 1], 7u);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(ExternalMemoryTest, IsWrittenOutsideAndReadByWork) {
    std::iota(file.data<int>(), file.data<int>() + size / 4, 0);
    const Buffer part = import_file().map_buffer(stream, 4096 + 512, 12);  // an offset that is not that of a page
    std::vector<int> values(3);
    copy(stream, values, part);
    stream.synchronize();
    EXPECT_THAT(values, ElementsAre(1152, 1153, 1154));
}

TEST_F(ExternalMemoryTest, TakesTheDescriptorOnlyOnSuccess) {
    FileDescriptor descriptor = file.descriptor();
    const int number = descriptor.native_handle();
    EXPECT_THAT(message_of<Error>([&] { (void)ExternalMemory(device, std::move(descriptor), size + 1, {.dedicated = true}); }),
                AllOf(HasSubstr("cuImportExternalMemory"), HasSubstr(std::to_string(number)), HasSubstr("65537"),
                      HasSubstr("dedicated")));
    ASSERT_FALSE(descriptor.is_closed());
    ExternalMemory memory(device, std::move(descriptor), size);
    EXPECT_TRUE(descriptor.is_closed());
    EXPECT_TRUE(is_open(number)) << "the driver owns it";
    memory.close();
    EXPECT_FALSE(is_open(number));
}

TEST_F(ExternalMemoryTest, RejectsMisuse) {
    FileDescriptor closed;
    EXPECT_THROW((void)ExternalMemory(device, std::move(closed), size), std::invalid_argument);
    FileDescriptor descriptor = file.descriptor();
    expect_misuse([&] { (void)ExternalMemory(device, std::move(descriptor), 0); }, "0 bytes");
    EXPECT_FALSE(descriptor.is_closed());
    const ExternalMemory memory = import_file();
    expect_misuse([&] { (void)memory.map_buffer(stream, 1, size); }, "65536 bytes", "from byte 1", "has 65536");
    expect_misuse([&] { (void)memory.map_buffer(stream, size + 1, 1); }, "from byte 65537");
    expect_misuse([&] { (void)memory.map_buffer(stream, 0, 0); }, "0 bytes");
    const ArrayOptions plane{.format = ArrayFormat::of<float>(), .width = 8, .height = 8};
    expect_misuse([&] { (void)memory.map_mipmapped_array(plane, {.level_count = 5}); }, "5 levels", "at most 4");
    expect_misuse([&] { (void)memory.map_mipmapped_array(plane, {.level_count = 0}); }, "level_count is 0");
    expect_misuse([&] { (void)memory.map_mipmapped_array(plane, {.offset = size}); }, "byte 65536");
    EXPECT_THAT(message_of<Error>([&] { (void)memory.map_mipmapped_array(plane, {.offset = size - 4}); }),
                AllOf(HasSubstr("cuExternalMemoryGetMappedMipmappedArray"), HasSubstr("8 x 8"), HasSubstr("65532")));
    EXPECT_THROW((void)ExternalMemory().map_buffer(stream), std::invalid_argument);
}

TEST_F(ExternalMemoryTest, IsRetainedByItsBuffers) {
    FileDescriptor descriptor = file.descriptor();
    const int number = descriptor.native_handle();
    ExternalMemory memory(device, std::move(descriptor), size);
    Buffer buffer = memory.map_buffer(stream, 0, 4);
    memory.close();
    EXPECT_TRUE(is_open(number));
    fill(stream, buffer, std::uint32_t{3});
    stream.synchronize();
    EXPECT_EQ(*file.data<std::uint32_t>(), 3u);
    buffer.close();
    EXPECT_FALSE(is_open(number));
}

TEST_F(ExternalMemoryTest, IsRetainedByGraphs) {
    GraphBuilder builder(device);
    builder.begin_building();
    {
        const ExternalMemory memory = import_file();
        Buffer buffer = memory.map_buffer(stream, 0, 8);
        fill(builder, buffer, std::uint32_t{5});
    }
    builder.end_building();
    const Graph graph = builder.complete();
    graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(file.data<std::uint32_t>()[1], 5u);
}

TEST_F(ExternalMemoryTest, MapsImagesWithTheirLevels) {
    ExternalMemory memory = import_file();
    const ArrayOptions options{.format = ArrayFormat::of<float>(), .width = 16, .height = 8, .surface_load_store = true};
    const ExternalImageOptions place{.level_count = 3, .offset = 4096};
    const MipmappedArray image = memory.map_mipmapped_array(options, place);
    const MipmappedArray again =
        memory.map_mipmapped_array(options, {.level_count = 3, .offset = 4096, .color_attachment = true});
    memory.close();  // the arrays retain it
    EXPECT_EQ(image.level_count(), 3u);
    EXPECT_EQ(image.options(), options);
    EXPECT_EQ(image.level(2).extent(), (Extent3D{4, 2, 1}));
    std::vector<float> written(8 * 4), read(8 * 4);
    std::iota(written.begin(), written.end(), 1.0f);
    copy(stream, image.level(1), written);
    copy(stream, read, again.level(1));
    stream.synchronize();
    EXPECT_EQ(read, written);
    EXPECT_EQ(file.data<float>()[4096 / 4 + 16 * 8], 1.0f) << "in the simulation, levels follow each other";
}

TEST_F(ExternalMemoryTest, ImportsMemoryThatTheDriverHasExported) {
    const VirtualMemoryResource resource(device, {.sharing = SharingHandle::posix_file_descriptor});
    VirtualBuffer exporter(resource, stream, 4096);
    ExportedMemory exported = exporter.export_memory();
    const std::size_t bytes = exported.parts.front().size;
    const ExternalMemory memory(device, std::move(exported.parts.front().descriptor), bytes);
    fill(stream, exporter, std::uint32_t{9});
    std::vector<std::uint32_t> values(1024);
    const Buffer mapped = memory.map_buffer(stream, 0, 4096);
    copy(stream, values, mapped);
    stream.synchronize();
    EXPECT_EQ(values, std::vector<std::uint32_t>(1024, 9));
}

TEST_F(ExternalMemoryTest, OwnsTheHandle) {
    ExternalMemory memory = import_file();
    const driver::CUexternalMemory handle = memory.release();
    EXPECT_TRUE(memory.is_closed());
    const ExternalMemoryRef foreign = handle;
    EXPECT_THROW((void)foreign.size(), std::invalid_argument);
    EXPECT_THROW((void)foreign.map_buffer(stream), std::invalid_argument);
    EXPECT_EQ(foreign.map_buffer(stream, 0, 16).size(), 16u);
    EXPECT_EQ(detail::share(foreign), nullptr);
    ExternalMemory adopted = ExternalMemory::from_native_handle(handle, size);
    EXPECT_EQ(adopted, foreign);
    EXPECT_EQ(adopted.map_buffer(stream).size(), size);
    adopted.close();
    const layers::Unobserved own_call;
    EXPECT_EQ(driver::cuDestroyExternalMemory(handle).status, driver::CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(ExternalMemoryTest, SurvivesAFailureOfEachCall) {
    sweep(
        [&] {
            ExternalMemory memory(device, file.descriptor(), size);
            Buffer buffer = memory.map_buffer(stream, 16, 64);
            const MipmappedArray image = memory.map_mipmapped_array({.format = ArrayFormat::of<float>(), .width = 8});
            fill(stream, buffer, std::uint32_t{1});
            buffer.close();
            memory.close();
        },
        {"cuStreamIsCapturing"});  // the free continues
}

}  // namespace
}  // namespace cubind::testing

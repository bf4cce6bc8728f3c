// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// What a driver on a GPU refuses to import. examples/graphics/ exchanges data with Vulkan and OpenGL.

#include <cubind/core.hpp>
#include <cubind/interop/external_memory.hpp>
#include <cubind/interop/external_semaphore.hpp>
#include <cubind/interop/graphics_resource.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "device_gpu_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::HasSubstr;

class InteropGpuTest : public DeviceGpuTest {};

FileDescriptor create_file(std::size_t size) {
    FileDescriptor file = FileDescriptor::from_native_handle(::memfd_create("cubind-test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    EXPECT_EQ(::ftruncate(file.native_handle(), static_cast<off_t>(size)), 0);
    return file;
}

/// Returns the message of the Error that the function throws, or an empty text.
template <class Function>
std::string message_of_error(const Function& function) {
    try {
        function();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

// The driver may close a descriptor although it refuses the file. The FileDescriptor must not close it again.
TEST_F(InteropGpuTest, RefusesFilesAndOwnsThoseThatAreOpen) {
    const auto expect_refusal = [](const char* function, const auto& import) {
        FileDescriptor file = create_file(65536);
        const int number = file.native_handle();
        EXPECT_THAT(message_of_error([&] { import(std::move(file)); }), HasSubstr(function));
        EXPECT_EQ(file.is_closed(), ::fcntl(number, F_GETFD) < 0) << function;
    };
    expect_refusal("cuImportExternalMemory",
                   [&](FileDescriptor&& file) { (void)ExternalMemory(*device, std::move(file), 65536); });
    for (const auto kind : {ExternalSemaphoreKind::binary, ExternalSemaphoreKind::timeline}) {
        expect_refusal("cuImportExternalSemaphore",
                       [&](FileDescriptor&& file) { (void)ExternalSemaphore(*device, std::move(file), kind); });
    }
}

TEST_F(InteropGpuTest, ImportsMemoryThatTheDriverHasExported) {
    const VirtualMemoryResource resource(*device, {.sharing = SharingHandle::posix_file_descriptor});
    VirtualBuffer exporter(resource, stream, 4096);
    ExportedMemory exported = exporter.export_memory();
    FileDescriptor& descriptor = exported.parts.front().descriptor;
    std::optional<ExternalMemory> memory;
    const std::string refusal =
        message_of_error([&] { memory.emplace(*device, std::move(descriptor), exported.parts.front().size); });
    if (!memory) {
        EXPECT_FALSE(descriptor.is_closed());
        GTEST_SKIP() << "this driver does not import its own memory as external memory: " << refusal;
    }
    const Buffer mapped = memory->map_buffer(stream, 0, 4096);
    fill(stream, exporter, std::uint32_t{9});
    std::vector<std::uint32_t> values(1024);
    copy(stream, values, mapped);
    stream.synchronize();
    EXPECT_EQ(values, std::vector<std::uint32_t>(1024, 9));
}

TEST_F(InteropGpuTest, RefusesBuffersWithoutAnOpenGlContext) {
    const std::string message = message_of_error([&] { (void)GraphicsResource::from_gl_buffer(*device, 1); });
    EXPECT_THAT(message, HasSubstr("cuGraphicsGLRegisterBuffer"));
    EXPECT_THAT(message, HasSubstr("OpenGL context"));
}

}  // namespace
}  // namespace cubind::testing

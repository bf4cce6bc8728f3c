// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Images and streams of EGL on a display without a window.

#include <cubind/core.hpp>
#include <cubind/interop/egl_stream_consumer.hpp>
#include <cubind/interop/egl_stream_producer.hpp>
#include <cubind/interop/graphics_resource.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device_gpu_test.hpp"
#include "gl_context.hpp"

namespace cubind::testing {
namespace {

constexpr int width = 64, height = 32;

class EglGpuTest : public DeviceGpuTest {
protected:
    void SetUp() override {
        DeviceGpuTest::SetUp();
        if (IsSkipped()) return;
        std::string why;
        context = gl::Context::create(device->ordinal(), why);
        if (context == nullptr) GTEST_SKIP() << why;
        for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint32_t>(i * 0x10203u + 7);
    }

    /// Returns the pixels of a frame, in arrays or in pitched memory.
    std::vector<std::uint32_t> read(const EglFrame& frame) {
        std::vector<std::uint32_t> found(pixels.size());
        if (frame.is_array()) {
            copy(stream, std::as_writable_bytes(std::span(found)), frame.array());
        } else {
            for (std::size_t row = 0; row < height; ++row) {
                const Buffer bytes = Buffer::view_of(frame.address() + row * frame.pitch(), width * sizeof(std::uint32_t));
                copy(stream, std::span(found).subspan(row * width, width), bytes);
            }
        }
        stream.synchronize();
        return found;
    }

    std::unique_ptr<gl::Context> context;
    std::vector<std::uint32_t> pixels = std::vector<std::uint32_t>(width * height);
};

TEST_F(EglGpuTest, ReadsATextureAsAnImage) {
    const gl::Name texture = context->create_object("glGenTextures");
    context->call<void(gl::Enum, gl::Name)>("glBindTexture")(gl::texture_2d, texture);
    context->call<void(gl::Enum, int, gl::Enum, int, int)>("glTexStorage2D")(gl::texture_2d, 1, gl::rgba8, width, height);
    context->call<void(gl::Enum, int, int, int, int, int, gl::Enum, gl::Enum, const void*)>("glTexSubImage2D")(
        gl::texture_2d, 0, 0, 0, width, height, gl::rgba, gl::unsigned_byte, pixels.data());
    context->check("write a texture");
    const auto create = context->egl<void*(void*, void*, unsigned, std::uintptr_t, const int*)>("eglCreateImageKHR");
    const auto destroy = context->egl<unsigned(void*, void*)>("eglDestroyImageKHR");
    if (create == nullptr || destroy == nullptr) GTEST_SKIP() << "EGL has no images (EGL_KHR_image_base)";
    constexpr unsigned gl_texture_2d = 0x30B1;
    void* const image = create(context->display(), context->handle(), gl_texture_2d, texture, nullptr);
    ASSERT_NE(image, nullptr);
    context->call<void()>("glFinish")();  // the driver moves the pixels
    {
        const GraphicsResource resource = GraphicsResource::from_egl_image(*device, image);
        const EglFrame frame = resource.egl_frame();
        EXPECT_EQ(frame.width(), unsigned{width});
        EXPECT_EQ(frame.height(), unsigned{height});
        EXPECT_EQ(frame.plane_count(), 1u);
        EXPECT_EQ(read(frame), pixels);
    }
    EXPECT_NE(destroy(context->display(), image), 0u);
}

TEST_F(EglGpuTest, PassesFramesFromCudaToCuda) {
    const auto create = context->egl<void*(void*, const int*)>("eglCreateStreamKHR");
    const auto destroy = context->egl<unsigned(void*, void*)>("eglDestroyStreamKHR");
    const int none[] = {0x3038};
    void* const egl_stream = create != nullptr ? create(context->display(), none) : nullptr;
    if (egl_stream == nullptr) GTEST_SKIP() << "EGL has no streams (EGL_KHR_stream)";
    {
        const EglStreamConsumer consumer(*device, egl_stream);
        const EglStreamProducer producer(*device, egl_stream, width, height);
        const ArrayOptions options{
            .format = {driver::CU_AD_FORMAT_UNSIGNED_INT8, 4}, .width = width, .height = height, .surface_load_store = true};
        const Array image = device->create_array(options), next = device->create_array(options);
        copy(stream, image, std::as_bytes(std::span(pixels)));
        producer.present(stream, EglFrame::of_arrays({image}, driver::CU_EGL_COLOR_FORMAT_ABGR));
        std::optional<EglAcquiredFrame> acquired = consumer.acquire(stream, std::chrono::seconds(10));
        ASSERT_TRUE(acquired.has_value());
        EXPECT_EQ(read(acquired->frame()), pixels);
        acquired->release();
        stream.synchronize();
        producer.present(stream, EglFrame::of_arrays({next}, driver::CU_EGL_COLOR_FORMAT_ABGR));  // replaces the latest frame
        std::optional<EglFrame> returned;
        for (int i = 0; i < 1000 && !returned; ++i) returned = producer.take_back(stream);
        ASSERT_TRUE(returned.has_value());
        EXPECT_EQ(returned->array().native_handle(), image.native_handle());
        stream.synchronize();
    }
    EXPECT_NE(destroy(context->display(), egl_stream), 0u);
}

}  // namespace
}  // namespace cubind::testing

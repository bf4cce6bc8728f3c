// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/copy.hpp>
#include <cubind/interop/egl_stream_consumer.hpp>
#include <cubind/interop/egl_stream_producer.hpp>
#include <cubind/interop/graphics_resource.hpp>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "egl_stand_in.hpp"
#include "interop_test.hpp"

namespace cubind::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;

constexpr auto rgba = driver::CU_EGL_COLOR_FORMAT_RGBA;

class EglTest : public InteropTest {
protected:
    EglFrame frame() const { return EglFrame::of_arrays({pixels}, rgba); }

    Array pixels = device.create_array({.format = {driver::CU_AD_FORMAT_UNSIGNED_INT8, 4}, .width = 4, .height = 2});
    Array chroma = device.create_array({.format = {driver::CU_AD_FORMAT_UNSIGNED_INT8, 2}, .width = 2, .height = 1});
    EglStandIn egl;
};

TEST_F(EglTest, DescribesArrays) {
    const EglFrame described = EglFrame::of_arrays({pixels, chroma}, driver::CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR);
    EXPECT_EQ(described.plane_count(), 2u);
    EXPECT_EQ(described.width(), 4u);
    EXPECT_EQ(described.height(), 2u);
    EXPECT_EQ(described.depth(), 0u);
    EXPECT_EQ(described.format(), (ArrayFormat{driver::CU_AD_FORMAT_UNSIGNED_INT8, 4}));
    EXPECT_EQ(described.color_format(), driver::CU_EGL_COLOR_FORMAT_YUV420_SEMIPLANAR);
    EXPECT_TRUE(described.is_array());
    EXPECT_EQ(described.array(1), chroma);
    expect_misuse([&] { (void)described.array(2); }, "plane 2", "2 planes");
    expect_misuse([&] { (void)described.address(); }, "use array()");
    expect_misuse([&] { (void)described.pitch(); }, "use array()");
    expect_misuse([&] { (void)EglFrame::of_arrays({}, rgba); }, "1 to 3", "there are 0");
    const Array volume = device.create_array({.format = ArrayFormat::of<float>(), .width = 4, .height = 2, .depth = 2});
    expect_misuse([&] { (void)EglFrame::of_arrays({volume}, rgba); }, "array 0");
    expect_misuse([&] { (void)EglFrame().array(); }, "0 planes");
}

TEST_F(EglTest, DescribesPitchedMemory) {
    driver::CUeglFrame native{};
    native.frame.pPitch[0] = reinterpret_cast<void*>(0x1000);
    native.planeCount = 1;
    native.pitch = 512;
    native.frameType = driver::CU_EGL_FRAME_TYPE_PITCH;
    const EglFrame described(native);
    EXPECT_EQ(described.address(), 0x1000u);
    EXPECT_EQ(described.pitch(), 512u);
    expect_misuse([&] { (void)described.array(); }, "use address()");
    native.planeCount = 1000;  // more than the struct can have
    expect_misuse([&] { (void)EglFrame(native).address(3); }, "plane 3", "at most 3");
}

TEST_F(EglTest, RegistersImages) {
    egl.image_frame = frame().native();
    {
        const auto image = GraphicsResource::from_egl_image(device, egl.image(), {.access = GraphicsAccess::read_only});
        EXPECT_EQ(egl.flags, unsigned{driver::CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY});
        EXPECT_EQ(image.egl_frame().array(), pixels);
        EXPECT_THAT(message_of<Error>([&] { (void)image.egl_frame(2, 1); }), AllOf(HasSubstr("Layer 2"), HasSubstr("level 1")));
        EXPECT_FALSE(ContextRef::current());
    }
    EXPECT_THAT(egl.log, ElementsAre("register", "unregister"));
    expect_misuse([&] { (void)GraphicsResource::from_egl_image(device, nullptr); }, "EGL_NO_IMAGE_KHR");
    expect_misuse([&] { (void)GraphicsResource::from_egl_image(device, egl.image(), {.surface_load_store = true}); },
                  "surface_load_store");
    EXPECT_THAT(message_of<Error>([&] { (void)GraphicsResource::from_egl_image(device, egl.stream()); }),
                AllOf(HasSubstr("cuGraphicsEGLRegisterImage"), HasSubstr("an image of EGL")));
}

TEST_F(EglTest, PassesFramesFromAProducerToAConsumer) {
    const EglStreamConsumer consumer(device, egl.stream(), {.location = driver::CU_EGL_RESOURCE_LOCATION_SYSMEM});
    EXPECT_EQ(egl.flags, unsigned{driver::CU_EGL_RESOURCE_LOCATION_SYSMEM});
    const EglStreamProducer producer(device, egl.stream(), 4, 2);
    EXPECT_FALSE(consumer.acquire(stream, 5ms).has_value());
    EXPECT_EQ(egl.timeout, 5000u);
    producer.present(stream, frame());
    EXPECT_EQ(egl.used_stream, stream.native_handle());
    EXPECT_FALSE(producer.take_back(stream).has_value());
    std::optional<EglAcquiredFrame> acquired = consumer.acquire(stream, std::chrono::hours(10));
    EXPECT_EQ(egl.timeout, 0xffffffffu) << "without a limit";
    ASSERT_TRUE(acquired.has_value());
    EXPECT_EQ(acquired->frame().array(), pixels);
    const Stream other(device);
    expect_misuse([&] { acquired->release(Stream()); }, "Stream");
    EXPECT_FALSE(acquired->is_released());
    acquired->release(other);
    EXPECT_EQ(egl.used_stream, other.native_handle());
    EXPECT_TRUE(acquired->is_released());
    acquired->release();  // does nothing
    expect_misuse([&] { (void)acquired->frame(); }, "EglAcquiredFrame");
    const std::optional<EglFrame> returned = producer.take_back(stream);
    ASSERT_TRUE(returned.has_value());
    EXPECT_EQ(returned->array(), pixels);
    EXPECT_THAT(egl.log, ElementsAre("connect consumer", "connect producer", "acquire", "release"));
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(EglTest, ReleasesFramesBeforeItDisconnects) {
    EglStreamConsumer consumer(device, egl.stream());
    EglStreamProducer producer(device, egl.stream(), 4, 2);
    producer.present(stream, frame());
    producer.present(stream, frame());
    std::optional<Stream> own_stream(device);
    auto first = consumer.acquire(*own_stream, 0us);
    const auto used = own_stream->native_handle();
    own_stream.reset();
    EglAcquiredFrame moved = std::move(*first);
    EXPECT_TRUE(first->is_released());
    moved = std::move(*consumer.acquire(stream, 0us));
    EXPECT_EQ(egl.used_stream, used) << "the stream is retained";
    consumer.close();
    EXPECT_TRUE(consumer.is_closed());
    producer.close();
    EXPECT_THAT(egl.log,
                ElementsAre("connect consumer", "connect producer", "acquire", "acquire", "release", "disconnect producer"));
    moved.release();
    EXPECT_THAT(egl.log.back(), "disconnect consumer");
    expect_misuse([&] { (void)consumer.acquire(stream, 0us); }, "EglStreamConsumer");
    expect_misuse([&] { producer.present(stream, frame()); }, "EglStreamProducer");
    consumer.close();  // does nothing
}

TEST_F(EglTest, ReleasesNothingAfterAResetOfTheDevice) {
    {
        const EglStreamConsumer consumer(device, egl.stream());
        const EglStreamProducer producer(device, egl.stream(), 4, 2);
        producer.present(stream, frame());
        producer.present(stream, frame());
        auto first = consumer.acquire(stream, 0us);
        const auto second = consumer.acquire(stream, 0us);
        device.reset();
        EXPECT_NO_THROW(first->release()) << "the driver has released the frame";
    }
    EXPECT_THAT(egl.log, ElementsAre("connect consumer", "connect producer", "acquire", "acquire"));
}

TEST_F(EglTest, RefusesMisuse) {
    expect_misuse([&] { (void)EglStreamConsumer(device, nullptr); }, "EGL_NO_STREAM_KHR");
    expect_misuse([&] { (void)EglStreamProducer(device, nullptr, 4, 2); }, "EGL_NO_STREAM_KHR");
    expect_misuse([&] { (void)EglStreamProducer(device, egl.stream(), 4, 0); }, "4 x 0");
    EXPECT_THAT(message_of<Error>([&] { (void)EglStreamProducer(device, egl.stream(), 4, 2); }),
                HasSubstr("must have a consumer"));
    const EglStreamConsumer consumer(device, egl.stream());
    EXPECT_THAT(message_of<Error>([&] { (void)EglStreamConsumer(device, egl.stream()); }), HasSubstr("neither a consumer"));
    expect_misuse([&] { (void)consumer.acquire(stream, -1us); }, "-1 microseconds");
    egl.without_frame = driver::CUDA_ERROR_UNKNOWN;
    EXPECT_THAT(message_of<Error>([&] { (void)consumer.acquire(stream, 1us); }),
                HasSubstr("EGL_STREAM_STATE_NEW_FRAME_AVAILABLE_KHR"));
    const EglStreamProducer producer(device, egl.stream(), 4, 2);
    expect_misuse([&] { producer.present(stream, EglFrame()); }, "no planes");
    EXPECT_THAT(message_of<Error>([&] { producer.present(stream, EglFrame::of_arrays({chroma}, rgba)); }),
                HasSubstr("2 x 1 pixels"));
}

TEST_F(EglTest, ReportsAFailureOfEachCall) {
    egl.image_frame = frame().native();
    EXPECT_GE(sweep([&] {
                  const auto image = GraphicsResource::from_egl_image(device, egl.image());
                  (void)image.egl_frame();
                  egl.presented.clear();
                  egl.returned.clear();
                  EglStreamConsumer consumer(device, egl.stream());
                  EglStreamProducer producer(device, egl.stream(), 4, 2);
                  producer.present(stream, frame());
                  auto acquired = consumer.acquire(stream, 0us);
                  (void)acquired.value().frame();
                  acquired->release();
                  (void)producer.take_back(stream);
                  producer.close();
                  consumer.close();
              }),
              11u);
}

/// The simulated driver alone.
class SimulatedEglTest : public InteropTest {};

TEST_F(SimulatedEglTest, IsNotSupported) {
    int object = 0;
    EXPECT_THAT(message_of<Error>([&] { (void)EglStreamConsumer(device, &object); }), HasSubstr("CUDA_ERROR_NOT_SUPPORTED"));
    EXPECT_THAT(message_of<Error>([&] { (void)GraphicsResource::from_egl_image(device, &object); }),
                HasSubstr("CUDA_ERROR_NOT_SUPPORTED"));
}

}  // namespace
}  // namespace cubind::testing

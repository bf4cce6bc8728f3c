// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/interop/detail/egl_connection.hpp>
#include <cubind/interop/egl_acquired_frame.hpp>

#include <chrono>
#include <optional>

namespace CUBIND_NAMESPACE {

/// Options of EglStreamConsumer.
struct EglStreamConsumerOptions {
    /// Where CUDA reads the frames: in memory of the device, or in memory of the host. The driver moves frames that a producer
    /// stores elsewhere.
    driver::CUeglResourceLocationFlags location = driver::CU_EGL_RESOURCE_LOCATION_VIDMEM;
};

/// CUDA as the consumer of a stream of EGL, which passes images from a producer such as a camera or OpenGL to a consumer
/// (cuEGLStreamConsumerConnectWithFlags, cuEGLStreamConsumerDisconnect). The class owns the connection and not the EGLStreamKHR,
/// which must outlive it. Only one thread at a time may use it. Movable, not copyable.
///
///     EglStreamConsumer consumer(device, stream_of_egl);
///     // when eglQueryStreamKHR() returns EGL_STREAM_STATE_NEW_FRAME_AVAILABLE_KHR for EGL_STREAM_STATE_KHR:
///     if (auto frame = consumer.acquire(stream, 100ms)) {
///         launch(stream, config, kernel, frame->frame().address(), n);
///     }                                                            // released in the order of the stream
class [[nodiscard]] CUBIND_EXPORT EglStreamConsumer {
public:
    /// Creates an empty object.
    EglStreamConsumer() noexcept = default;
    /// Connects the consumer for the primary context of the device. The stream must have neither a consumer nor a producer yet.
    /// Throws std::invalid_argument for a null stream, and Error if the driver refuses it.
    [[nodiscard]] EglStreamConsumer(Device device, driver::EGLStreamKHR stream, const EglStreamConsumerOptions& options = {});
    /// Connects the consumer for this context, like the other constructor.
    [[nodiscard]] EglStreamConsumer(ContextRef context, driver::EGLStreamKHR stream,
                                    const EglStreamConsumerOptions& options = {});

    /// Waits on the host for the next frame, for at most this time, and returns it; returns nothing if the time is over. Work
    /// that is submitted to the stream from now on sees the pixels (cuEGLStreamConsumerAcquireFrame). If no newer frame was
    /// presented, a stream without a queue returns the latest one again. Throws Error if the producer has disconnected, if the
    /// stream has failed, and, with some drivers (580), if the stream has no frame; so query the state of the stream before.
    /// Times above 2^32 - 1 microseconds wait without a limit.
    [[nodiscard]] std::optional<EglAcquiredFrame> acquire(StreamRef stream, std::chrono::microseconds timeout) const;

    /// Disconnects the consumer once all its frames are released. Throws Error if that fails, now or when the last frame is
    /// released, which reports a failure to the cleanup handler. The object is empty afterwards.
    void close();
    /// Returns whether the object is empty.
    [[nodiscard]] bool is_closed() const noexcept { return connection_ == nullptr; }

    /// Returns the native handle, for driver calls. Throws std::invalid_argument for an empty object.
    [[nodiscard]] driver::CUeglStreamConnection native_handle() const;

private:
    detail::EglConnectionOwner connection_;
};

}  // namespace CUBIND_NAMESPACE

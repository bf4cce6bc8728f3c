// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/driver/egl.hpp>
#include <cubind/interop/egl_stream_consumer.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "acquired_frame.hpp"
#include "calls/driver.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE {

namespace {

Result<driver::CUresult> disconnect_consumer(unsigned long long handle) {
    auto connection = reinterpret_cast<driver::CUeglStreamConnection>(handle);
    return driver::cuEGLStreamConsumerDisconnect(&connection);
}

}  // namespace

EglStreamConsumer::EglStreamConsumer(Device device, driver::EGLStreamKHR stream, const EglStreamConsumerOptions& options)
    : EglStreamConsumer(device.context(), stream, options) {}

EglStreamConsumer::EglStreamConsumer(ContextRef context, driver::EGLStreamKHR stream, const EglStreamConsumerOptions& options) {
    detail::check_egl_stream(stream, "EglStreamConsumer");
    auto state =
        std::make_shared<detail::EglConnection>(context, disconnect_consumer, "disconnect the consumer of an EGL stream");
    const ScopedContext scope(context);
    const auto connected = driver::cuEGLStreamConsumerConnectWithFlags(stream, static_cast<unsigned int>(options.location));
    if (!connected.ok()) {
        detail::throw_with_advice({connected.status},
                                  "The stream must have neither a consumer nor a producer, and must be of a display of "
                                  "the same GPU.");
    }
    connection_ = detail::EglConnection::own(std::move(state), connected.value);
}

std::optional<EglAcquiredFrame> EglStreamConsumer::acquire(StreamRef stream, std::chrono::microseconds timeout) const {
    if (timeout.count() < 0) {
        detail::throw_misuse("EglStreamConsumer::acquire(): a timeout of ", timeout.count(), " microseconds is below 0");
    }
    constexpr std::chrono::microseconds::rep no_limit = std::numeric_limits<unsigned int>::max();
    const detail::EglConnection& connection = detail::connection_of(connection_, "EglStreamConsumer");
    // Memory may be exhausted, and a frame that nothing can release would stop the stream.
    auto frame = std::make_unique<detail::AcquiredFrame>(connection, stream);
    const detail::StreamScope scope(stream);
    auto handle = connection.handle();
    driver::CUstream native = detail::StreamAccess::handle(stream);
    const auto acquired =
        driver::cuEGLStreamConsumerAcquireFrame(&handle, &native, static_cast<unsigned int>(std::min(timeout.count(), no_limit)));
    if (acquired.status == driver::CUDA_ERROR_LAUNCH_TIMEOUT) return std::nullopt;
    if (acquired.status == driver::CUDA_ERROR_UNKNOWN) {
        detail::throw_with_advice({acquired.status},
                                  "The stream may have no frame that is not acquired: acquire one when eglQueryStreamKHR() "
                                  "returns EGL_STREAM_STATE_NEW_FRAME_AVAILABLE_KHR for EGL_STREAM_STATE_KHR.");
    }
    frame->set_resource(detail::check_latest(acquired));
    return EglAcquiredFrame(std::move(frame));
}

void EglStreamConsumer::close() {
    detail::close_connection(connection_);
}

driver::CUeglStreamConnection EglStreamConsumer::native_handle() const {
    return detail::connection_of(connection_, "EglStreamConsumer").handle();
}

}  // namespace CUBIND_NAMESPACE

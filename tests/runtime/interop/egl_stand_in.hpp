// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>
#include <cubind/layers/layer.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cubind::testing {

/// Takes the place of the part of a driver that exchanges images with EGL, which the simulated driver does not have. There is one
/// stream and one image. While the object exists, the calls of these functions end here.
class EglStandIn final : public layers::Layer {
public:
    EglStandIn() { layers::push(*this); }
    EglStandIn(const EglStandIn&) = delete;
    EglStandIn& operator=(const EglStandIn&) = delete;
    ~EglStandIn() { layers::remove(*this); }

    driver::EGLStreamKHR stream() noexcept { return &stream_; }
    driver::EGLImageKHR image() noexcept { return &image_; }

    driver::CUeglFrame image_frame{};        ///< the pixels of the image
    unsigned int flags = 77;                 ///< of the latest registration or connection
    driver::CUstream used_stream = nullptr;  ///< of the latest call for a frame
    unsigned int timeout = 0;                ///< of the latest call that waits
    std::vector<std::string> log;            ///< "connect consumer", "acquire", "release", ...
    std::deque<driver::CUeglFrame> presented, returned;
    driver::CUresult without_frame = driver::CUDA_ERROR_LAUNCH_TIMEOUT;  ///< status of an acquisition if no frame is presented

    void handle(const Call& call, const layers::Next& next) noexcept override {
        const std::string_view symbol = call.function.symbol;
        const bool is_of_image = symbol == "cuGraphicsEGLRegisterImage" || symbol == "cuGraphicsResourceGetMappedEglFrame" ||
                                 symbol == "cuGraphicsUnregisterResource";
        if (!symbol.starts_with("cuEGL") && !is_of_image) return next(call);
        call.status() = static_cast<int>(is_of_image ? answer_for_image(symbol, call) : answer(symbol.substr(11), call));
    }

private:
    template <class Type>
    static Type argument(const Call& call, std::size_t index) {
        return *static_cast<const Type*>(call.arguments[index]);
    }
    template <class Type>
    static driver::CUresult write(const Call& call, std::size_t index, Type value) {
        *argument<Type*>(call, index) = value;
        return driver::CUDA_SUCCESS;
    }
    driver::CUgraphicsResource resource() noexcept { return reinterpret_cast<driver::CUgraphicsResource>(&image_); }
    driver::CUeglStreamConnection end(bool& of) noexcept { return reinterpret_cast<driver::CUeglStreamConnection>(&of); }

    driver::CUresult answer_for_image(std::string_view symbol, const Call& call) {
        if (symbol == "cuGraphicsEGLRegisterImage") {
            if (argument<driver::EGLImageKHR>(call, 1) != &image_) return driver::CUDA_ERROR_INVALID_VALUE;
            flags = argument<unsigned int>(call, 2);
            log.push_back("register");
            return write(call, 0, resource());
        }
        if (symbol == "cuGraphicsUnregisterResource") {
            log.push_back("unregister");
            return driver::CUDA_SUCCESS;
        }
        if (argument<unsigned int>(call, 2) != 0 || argument<unsigned int>(call, 3) != 0) return driver::CUDA_ERROR_INVALID_VALUE;
        return write(call, 0, argument<driver::CUgraphicsResource>(call, 1) == resource() ? image_frame : acquired_);
    }

    // The functions by their names without cuEGLStream.
    driver::CUresult answer(std::string_view name, const Call& call) {
        if (name == "ConsumerConnectWithFlags") {
            flags = argument<unsigned int>(call, 2);
            return connect(call, has_consumer_, !has_producer_, "connect consumer");
        }
        if (name == "ProducerConnect") return connect(call, has_producer_, has_consumer_, "connect producer");
        if (name == "ConsumerDisconnect") return disconnect(call, has_consumer_, "disconnect consumer");
        if (name == "ProducerDisconnect") return disconnect(call, has_producer_, "disconnect producer");
        if (name == "ConsumerAcquireFrame") return acquire(call);
        if (name == "ConsumerReleaseFrame") {
            used_stream = *argument<driver::CUstream*>(call, 2);
            returned.push_back(acquired_);
            log.push_back("release");
            return driver::CUDA_SUCCESS;
        }
        if (name == "ProducerPresentFrame") {
            used_stream = *argument<driver::CUstream*>(call, 2);
            const auto frame = argument<driver::CUeglFrame>(call, 1);
            if (frame.width != 4) return driver::CUDA_ERROR_INVALID_VALUE;
            presented.push_back(frame);
            return driver::CUDA_SUCCESS;
        }
        if (name != "ProducerReturnFrame") return driver::CUDA_ERROR_NOT_SUPPORTED;
        if (returned.empty()) return driver::CUDA_ERROR_LAUNCH_TIMEOUT;
        (void)write(call, 1, returned.front());
        returned.pop_front();
        return driver::CUDA_SUCCESS;
    }

    driver::CUresult connect(const Call& call, bool& end_of_stream, bool is_possible, const char* what) {
        if (argument<driver::EGLStreamKHR>(call, 1) != &stream_ || end_of_stream || !is_possible)
            return driver::CUDA_ERROR_INVALID_VALUE;
        end_of_stream = true;
        log.push_back(what);
        return write(call, 0, end(end_of_stream));
    }
    driver::CUresult disconnect(const Call& call, bool& end_of_stream, const char* what) {
        if (*argument<driver::CUeglStreamConnection*>(call, 0) != end(end_of_stream)) return driver::CUDA_ERROR_INVALID_HANDLE;
        end_of_stream = false;
        log.push_back(what);
        return driver::CUDA_SUCCESS;
    }
    driver::CUresult acquire(const Call& call) {
        used_stream = *argument<driver::CUstream*>(call, 2);
        timeout = argument<unsigned int>(call, 3);
        if (presented.empty()) return without_frame;
        acquired_ = presented.front();
        presented.pop_front();
        log.push_back("acquire");
        return write(call, 1, reinterpret_cast<driver::CUgraphicsResource>(&acquired_));
    }

    int stream_ = 0, image_ = 0;  // their addresses are the handles
    bool has_consumer_ = false, has_producer_ = false;
    driver::CUeglFrame acquired_{};
};

}  // namespace cubind::testing

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Convolves images with filters by cuDNN, in the order of a stream, and compares each pixel with a sum on the host. cuDNN selects
// the algorithm, and states how much workspace that requires.

#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/cudnn.hpp>
#include <cubind/library.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "address.hpp"
#include "example.hpp"

using namespace cubind;
using namespace cubind::cudnn;

namespace {

// Images and filters have the same channels. Two pixels of padding keep height and width, because the filters are 5 x 5.
constexpr int images = 2, channels = 3, height = 20, width = 24, filters = 4, extent = 5, padding = 2;

std::size_t position(int outer, int channel, int count_of_channels, int row, int column, int rows, int columns) {
    return static_cast<std::size_t>(((outer * count_of_channels + channel) * rows + row) * columns + column);
}

// Returns the pixel of one image and one filter: the products of the filter and the pixels below it. Outside the image, pixels
// are 0.
double pixel(const std::vector<float>& x, const std::vector<float>& w, int image, int filter, int row, int column) {
    double sum = 0;
    for (int channel = 0; channel < channels; ++channel) {
        for (int i = 0; i < extent; ++i) {
            for (int j = 0; j < extent; ++j) {
                const int r = row + i - padding, c = column + j - padding;
                if (r < 0 || r >= height || c < 0 || c >= width) continue;
                sum += static_cast<double>(x[position(image, channel, channels, r, c, height, width)]) *
                       static_cast<double>(w[position(filter, channel, channels, i, j, extent, extent)]);
            }
        }
    }
    return sum;
}

struct Library {
    explicit Library(const Stream& stream) { check(cudnnSetStream(handle, stream.native_handle())); }
    ~Library() { (void)cudnnDestroy(handle); }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    cudnnHandle_t handle = check(cudnnCreate());
};

struct Tensor {
    explicit Tensor(int count_of_channels) {
        check(cudnnSetTensor4dDescriptor(handle, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, images, count_of_channels, height, width));
    }
    ~Tensor() { (void)cudnnDestroyTensorDescriptor(handle); }
    Tensor(const Tensor&) = delete;
    Tensor& operator=(const Tensor&) = delete;
    cudnnTensorDescriptor_t handle = check(cudnnCreateTensorDescriptor());
};

struct Filter {
    Filter() {
        check(cudnnSetFilter4dDescriptor(handle, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, filters, channels, extent, extent));
    }
    ~Filter() { (void)cudnnDestroyFilterDescriptor(handle); }
    Filter(const Filter&) = delete;
    Filter& operator=(const Filter&) = delete;
    cudnnFilterDescriptor_t handle = check(cudnnCreateFilterDescriptor());
};

struct Convolution {
    Convolution() {
        check(cudnnSetConvolution2dDescriptor(handle, padding, padding, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
        check(cudnnSetConvolutionMathType(handle, CUDNN_FMA_MATH));  // by default, cuDNN may round the factors to TF32
    }
    ~Convolution() { (void)cudnnDestroyConvolutionDescriptor(handle); }
    Convolution(const Convolution&) = delete;
    Convolution& operator=(const Convolution&) = delete;
    cudnnConvolutionDescriptor_t handle = check(cudnnCreateConvolutionDescriptor());
};

// Submits y = x * w to the stream.
void convolve(const Device& device, const Stream& stream, const TypedBuffer<float>& x, const TypedBuffer<float>& w,
              TypedBuffer<float>& y) {
    const Library library(stream);
    const Tensor input(channels), output(filters);
    const Filter filter;
    const Convolution convolution;
    cudnnConvolutionFwdAlgoPerf_t best{};
    const int found = check(cudnnGetConvolutionForwardAlgorithm_v7(library.handle, input.handle, filter.handle,
                                                                   convolution.handle, output.handle, 1, &best));
    if (found < 1) throw std::runtime_error("cuDNN has no algorithm for this convolution");
    const std::size_t bytes = check(cudnnGetConvolutionForwardWorkspaceSize(library.handle, input.handle, filter.handle,
                                                                            convolution.handle, output.handle, best.algo));
    const TypedBuffer<std::byte> workspace = device.allocate<std::byte>(stream, bytes > 0 ? bytes : 1);
    const float alpha = 1, beta = 0;
    check(cudnnConvolutionForward(library.handle, &alpha, input.handle, example::address(x), filter.handle, example::address(w),
                                  convolution.handle, best.algo, example::address(workspace), bytes, &beta, output.handle,
                                  example::address(y)));
    std::printf("cuDNN %zu selected algorithm %d, with %zu bytes of workspace.\n", cudnnGetVersion(), static_cast<int>(best.algo),
                bytes);
}

int convolve_images() {
    if (library_path(cudnn::library()) == nullptr)
        return example::skip("cuDNN 9 was not found. It is in the Python package nvidia-cudnn-cu13.");
    Device device;
    device.set_current();  // cuDNN uses the current context
    const Stream stream(device);
    std::vector<float> x(position(images, 0, channels, 0, 0, height, width));
    std::vector<float> w(position(filters, 0, channels, 0, 0, extent, extent));
    std::vector<float> y(position(images, 0, filters, 0, 0, height, width));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * i % 13) - 6;
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = static_cast<float>(i * 7 % 9) - 4;

    TypedBuffer<float> device_x = device.allocate<float>(stream, x.size());
    TypedBuffer<float> device_w = device.allocate<float>(stream, w.size());
    TypedBuffer<float> device_y = device.allocate<float>(stream, y.size());
    copy(stream, device_x, x);
    copy(stream, device_w, w);
    convolve(device, stream, device_x, device_w, device_y);
    copy(stream, y, device_y);
    stream.synchronize();

    double largest = 0;
    for (int image = 0; image < images; ++image) {
        for (int filter = 0; filter < filters; ++filter) {
            for (int row = 0; row < height; ++row) {
                for (int column = 0; column < width; ++column) {
                    const float found = y[position(image, filter, filters, row, column, height, width)];
                    largest = std::fmax(largest, std::abs(static_cast<double>(found) - pixel(x, w, image, filter, row, column)));
                }
            }
        }
    }
    std::printf("The largest difference of %zu pixels is %.1e.\n", y.size(), largest);
    return example::verdict(largest < 0.01, "each pixel agrees with the sum on the host, up to 0.01");
}

}  // namespace

int main() {
    return example::run(convolve_images);
}

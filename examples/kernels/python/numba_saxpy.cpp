// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Launches a kernel that numba-cuda has compiled from Python to PTX. Its symbol is mangled, so the program takes the only kernel
// of the code. The signature is that of the Python function, with pointers. Then links a device function, which numba-cuda has
// compiled to LTO-IR, with a kernel in C++ that calls it.

#include <cubind/core.hpp>

#include <cstdio>
#include <vector>

#include "products.hpp"

using namespace cubind;

namespace {

constexpr int count = 5000;

bool adds(const ObjectCode& code, const Device& device, const Stream& stream) {
    const KernelFunction<void(float, const float*, float*, long long)> saxpy(code.kernels().at(0), device);
    std::printf("%s\n", saxpy.kernel().name().c_str());

    std::vector<float> x(count, 3.0f), y(count);
    for (int i = 0; i < count; ++i) y[static_cast<std::size_t>(i)] = static_cast<float>(i);
    TypedBuffer<float> device_x = device.allocate<float>(stream, x.size());
    TypedBuffer<float> device_y = device.allocate<float>(stream, y.size());
    copy(stream, device_x, x);
    copy(stream, device_y, y);
    saxpy(stream, {.grid = blocks_for(count, 128), .block = 128}, 2.0f, device_x, device_y, count);
    copy(stream, y, device_y);
    stream.synchronize();
    bool is_right = true;
    for (int i = 0; i < count; ++i) is_right = is_right && y[static_cast<std::size_t>(i)] == static_cast<float>(i + 6);
    return is_right;
}

constexpr const char* kernel_source = R"(
extern "C" __device__ float smooth(float x);
extern "C" __global__ void smooth_all(float* values, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) values[i] = smooth(values[i]);
}
)";

bool links(const ObjectCode& smooth, const Device& device, const Stream& stream) {
    Program program(kernel_source, {.relocatable_device_code = true, .link_time_optimization = true});
    Linker linker({program.compile(CodeType::lto_ir), smooth});
    const ObjectCode linked = linker.link();
    const KernelFunction<void(float*, int)> smooth_all(linked.kernel("smooth_all"), device);
    TypedBuffer<float> device_values = device.allocate<float>(stream, count);
    std::vector<float> values(count);
    for (int i = 0; i < count; ++i) values[static_cast<std::size_t>(i)] = static_cast<float>(i % 9) / 8;
    const std::vector<float> before = values;
    copy(stream, device_values, values);
    smooth_all(stream, {.grid = blocks_for(count, 128), .block = 128}, device_values, count);
    copy(stream, values, device_values);
    stream.synchronize();
    bool is_right = true;
    for (std::size_t i = 0; i < values.size(); ++i)
        is_right = is_right && values[i] == before[i] * before[i] * (3 - 2 * before[i]);
    return is_right;  // each product is exact in single precision
}

int numba_saxpy(const std::filesystem::path& folder) {
    const Device device;
    const Stream stream(device);
    const ObjectCode code = ObjectCode::from_file(CodeType::ptx, (folder / "saxpy.ptx").string());
    if (!adds(code, device, stream)) return example::verdict(false, "a * x + y");
    const ObjectCode smooth = ObjectCode::from_file(CodeType::lto_ir, (folder / "smooth.ltoir").string());
    return example::verdict(links(smooth, device, stream), "a * x + y, and a function of Python in a kernel of C++");
}

}  // namespace

int main(int argc, char** argv) {
    return example::run_with_products(argc, argv, "saxpy.ptx", numba_saxpy);
}

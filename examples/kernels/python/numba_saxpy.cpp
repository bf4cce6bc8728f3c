// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Launches a kernel that numba-cuda has compiled from Python to PTX. Its symbol is mangled, so the program takes the only kernel
// of the code. The signature is that of the Python function, with pointers.

#include <cubind/core.hpp>

#include <cstdio>
#include <vector>

#include "products.hpp"

using namespace cubind;

namespace {

int numba_saxpy(const std::filesystem::path& folder) {
    const Device device;
    const Stream stream(device);
    const ObjectCode code = ObjectCode::from_file(CodeType::ptx, (folder / "saxpy.ptx").string());
    const KernelFunction<void(float, const float*, float*, long long)> saxpy(code.kernels().at(0), device);
    std::printf("%s\n", saxpy.kernel().name().c_str());

    constexpr int count = 5000;
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
    return example::verdict(is_right, "a * x + y");
}

}  // namespace

int main(int argc, char** argv) {
    return example::run_with_products(argc, argv, "saxpy.ptx", numba_saxpy);
}

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A program with ranges of NVTX, the first one before it uses CUDA.
#include <cubind/core.hpp>
#include <cubind/nvtx/nvtx_range.hpp>

int main() {
    const cubind::NvtxRange outer("outer");
    cubind::Device device;
    const cubind::Stream stream(device);
    auto memory = device.allocate<int>(stream, 256);
    for (int i = 0; i < 3; ++i) {
        const cubind::NvtxRange inner("inner");
        fill(stream, memory, i);
    }
    stream.synchronize();
}

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Packs machine code for this GPU and PTX for all later ones into one fat binary with nvFatbin, loads it and runs its kernel.
// The driver chooses the machine code, and compiles the PTX on GPUs for which there is none.

#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/library.hpp>
#include <cubind/nvfatbin.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "example.hpp"

using namespace cubind;
using namespace cubind::nvfatbin;

namespace {

const char* const source = R"(
extern "C" __global__ void square(float* data, size_t n)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) data[i] *= data[i];
}
)";

std::vector<std::byte> pack(const ObjectCode& ptx, const ObjectCode& native, const std::string& arch) {
    struct FatBinary {
        nvFatbinHandle handle = check(nvFatbinCreate(nullptr, 0));
        ~FatBinary() { (void)nvFatbinDestroy(handle); }
    } binary;
    // PTX is text that ends with NUL.
    const std::string text(ptx.text());
    check(nvFatbinAddPTX(binary.handle, text.c_str(), text.size() + 1, arch.c_str(), "square.ptx", nullptr));
    if (native.kind() == CodeType::cubin) {
        check(nvFatbinAddCubin(binary.handle, native.bytes().data(), native.bytes().size(), arch.c_str(), "square.cubin"));
    }
    std::vector<std::byte> bytes(check(nvFatbinSize(binary.handle)));
    check(nvFatbinGet(binary.handle, bytes.data()));
    return bytes;
}

int fat_binary() {
    if (library_path(nvfatbin::library()) == nullptr)
        return example::skip("nvFatbin, which is part of the toolkit, was not found.");
    const Device device;
    const Stream stream(device);
    Program program(source, {.name = "square.cu", .arch = "sm_" + device.arch()});
    const ObjectCode ptx = program.compile(CodeType::ptx);
    const ObjectCode native = program.compile(CodeType::cubin);  // PTX on a simulated device, which has no machine code
    const std::vector<std::byte> packed = pack(ptx, native, device.arch());
    std::printf("PTX of %zu bytes and %s of %zu bytes are a fat binary of %zu bytes.\n", ptx.bytes().size(),
                to_string(native.kind()), native.bytes().size(), packed.size());

    constexpr std::size_t n = 1000;
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i);
    const ObjectCode code = ObjectCode::from_bytes(CodeType::fatbin, packed);
    TypedBuffer<float> data = device.allocate<float>(stream, n);
    copy(stream, data, values);
    launch(stream, {.grid = blocks_for(n, 256), .block = 256}, code.kernel("square"), data, n);
    copy(stream, values, data);
    stream.synchronize();
    bool right = true;
    for (std::size_t i = 0; i < n; ++i) right = right && values[i] == static_cast<float>(i) * static_cast<float>(i);
    return example::verdict(right, "each of 1000 values is a square");
}

}  // namespace

int main() {
    return example::run(fat_binary);
}

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Launches a kernel with cubind::core on the drop-in library of the release that the argument names. The program fails if
// functions of later releases exist, or if the launch fails.
#include <cubind/core.hpp>
#include <cubind/driver.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

using namespace cubind;

constexpr const char* ptx =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry store(.param .u64 to, .param .u32 value) {\n"
    ".reg .b64 %a; .reg .b32 %v; ld.param.u64 %a, [to]; ld.param.u32 %v, [value]; st.global.u32 [%a], %v; ret; }";

int fail(const char* what) {
    std::fprintf(stderr, "%s\n", what);
    return 1;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) return fail("usage: sim_old_driver RELEASE");
    const bool is_since_13_2 = std::strcmp(arguments[1], "13.2") >= 0;
    const bool is_since_12_4 = std::strcmp(arguments[1], "12.4") >= 0;
    if (!driver::has(driver::cuInit)) return fail("cuInit is missing");
    if (driver::has(driver::cuKernelGetParamCount) != is_since_13_2) return fail("cuKernelGetParamCount is of CUDA 13.2");
    if (driver::has(driver::cuKernelGetParamInfo) != is_since_12_4) return fail("cuKernelGetParamInfo is of CUDA 12.4");
    Device device;
    Stream stream(device);
    TypedBuffer buffer = device.allocate<int>(stream, 1);
    const Kernel kernel = ObjectCode::from_bytes(CodeType::ptx, ptx).kernel("store");
    launch(stream, {.grid = 1, .block = 1}, kernel, buffer, 7);
    std::vector<int> values(1);
    copy(stream, values, buffer);
    stream.synchronize();
    return values[0] == 7 ? 0 : fail("the kernel stored another value");
}

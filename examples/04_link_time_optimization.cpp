// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Link-time optimization at run time: NVRTC compiles two translation units to LTO-IR, an intermediate form that can be
// optimized further. nvJitLink links both to one program in PTX, which the driver compiles for the GPU. A function of one
// unit is inlined into the kernel of the other unit, as if both were in one file; the program prints whether its name no
// longer occurs. The kernel computes greatest common divisors, which the host compares with std::gcd.

#include <cubind/nvjitlink.hpp>

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "compile.hpp"
#include "example.hpp"

namespace driver = cubind::driver;
namespace nvjitlink = cubind::nvjitlink;
using cubind::check;

namespace {

constexpr unsigned int count = 100000;
constexpr unsigned int fixed_number = 720720;  // divisible by all numbers up to 16, so that results vary

const char* const library_source = R"(
__device__ unsigned int greatest_common_divisor(unsigned int a, unsigned int b)
{
    while (b != 0) {
        unsigned int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
)";

const char* const kernel_source = R"(
extern __device__ unsigned int greatest_common_divisor(unsigned int a, unsigned int b);  // in the other unit

extern "C" __global__ void divisors(unsigned int fixed_number, unsigned int* out, unsigned int count)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        out[i] = greatest_common_divisor(fixed_number, i + 1);
    }
}
)";

// Compiles a unit. -dlto makes NVRTC stop at LTO-IR and allows units to refer to each other.
std::vector<char> compile(const char* source, const char* name, const std::string& architecture) {
    std::vector<char> unit = example::compile(source, name, {"-arch=sm_" + architecture, "-dlto"}, example::Output::lto_ir);
    std::printf("NVRTC compiled %s for sm_%s: %zu bytes of LTO-IR.\n", name, architecture.c_str(), unit.size());
    return unit;
}

struct Linker {
    nvjitlink::nvJitLinkHandle handle;
    ~Linker() { (void)nvjitlink::nvJitLinkDestroy(handle); }

    // Prints the linker's log and throws if the call failed.
    void expect(cubind::Result<nvjitlink::nvJitLinkResult> result) const {
        if (!result.ok()) {
            const auto [status, size] = nvjitlink::nvJitLinkGetErrorLogSize(handle);
            std::string log(size, '\0');
            if (nvjitlink::nvJitLinkGetErrorLog(handle, log.data()).ok()) std::fprintf(stderr, "%s\n", log.c_str());
        }
        check(result);
    }

    void add(const std::vector<char>& unit, const char* name) const {
        expect(nvjitlink::nvJitLinkAddData(handle, nvjitlink::NVJITLINK_INPUT_LTOIR, unit.data(), unit.size(), name));
    }
};

std::vector<char> link(const std::vector<char>& library, const std::vector<char>& kernel, const std::string& architecture) {
    const std::string target = "-arch=sm_" + architecture;
    const char* options[] = {target.c_str(), "-lto", "-ptx"};  // without -ptx, the output is machine code
    const Linker linker{check(nvjitlink::nvJitLinkCreate(3, options))};
    linker.add(library, "library.cu");
    linker.add(kernel, "kernel.cu");
    linker.expect(nvjitlink::nvJitLinkComplete(linker.handle));

    std::vector<char> ptx(check(nvjitlink::nvJitLinkGetLinkedPtxSize(linker.handle)));  // includes the terminating zero
    check(nvjitlink::nvJitLinkGetLinkedPtx(linker.handle, ptx.data()));
    const bool is_inlined = std::string(ptx.data()).find("greatest_common_divisor") == std::string::npos;
    std::printf("nvJitLink linked both: %zu bytes of PTX. greatest_common_divisor is %s.\n", ptx.size(),
                is_inlined ? "part of the kernel" : "a separate function");
    return ptx;
}

int link_time_optimization() {
    const example::Gpu gpu = example::first_gpu();
    if (!gpu.usable && !example::has_nvrtc()) return example::skip(gpu);

    const std::vector<char> library = compile(library_source, "library.cu", gpu.architecture);
    const std::vector<char> kernel_unit = compile(kernel_source, "kernel.cu", gpu.architecture);
    if (!gpu.usable && cubind::library_path(nvjitlink::library()) == nullptr) return example::skip(gpu);
    const std::vector<char> ptx = link(library, kernel_unit, gpu.architecture);
    if (!gpu.usable) return example::skip(gpu);

    check(driver::cuCtxSetCurrent(check(driver::cuDevicePrimaryCtxRetain(gpu.device))));
    const driver::CUmodule code = example::load_ptx(ptx, "nvJitLink", "CUBIND_NVJITLINK_LIBRARY");
    const driver::CUfunction kernel = check(driver::cuModuleGetFunction(code, "divisors"));

    std::vector<unsigned int> out(count);
    const std::size_t size = count * sizeof(unsigned int);
    driver::CUdeviceptr device_out = check(driver::cuMemAlloc(size));
    check(driver::cuMemsetD8(device_out, 0, size));

    unsigned int first_argument = fixed_number;
    unsigned int last_argument = count;
    void* arguments[] = {&first_argument, &device_out, &last_argument};
    const unsigned int threads = 256;
    const unsigned int blocks = (count + threads - 1) / threads;
    check(driver::cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr));
    check(driver::cuMemcpyDtoH(out.data(), device_out, size));

    std::size_t wrong = 0;
    for (unsigned int i = 0; i < count; ++i) {
        const unsigned int expected = std::gcd(fixed_number, i + 1);
        if (out[i] == expected) continue;
        if (wrong == 0) std::printf("gcd(%u, %u) is %u, not %u.\n", fixed_number, i + 1, expected, out[i]);
        ++wrong;
    }
    std::printf("%zu of %u results are wrong.\n", wrong, count);

    check(driver::cuMemFree(device_out));
    check(driver::cuModuleUnload(code));
    check(driver::cuDevicePrimaryCtxRelease(gpu.device));
    return example::verdict(wrong == 0);
}

}  // namespace

int main() {
    return example::run(link_time_optimization);
}

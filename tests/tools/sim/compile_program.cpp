// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A program that is written against NVIDIA's headers and asks for machine code of sm_90: from NVRTC, from nvJitLink for PTX, for
// LTO-IR, and for both. It runs each kernel, prints the first bytes of the code and the results, and fails if one is wrong.
#include <cuda.h>
#include <nvJitLink.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

void check(bool is_right, const char* what) {
    if (is_right) return;
    std::fprintf(stderr, "failed: %s\n", what);
    std::exit(1);
}

// Returns what NVRTC compiles of a source: machine code, PTX or LTO-IR.
std::string compile(const char* source, std::vector<const char*> options, nvrtcResult (*get_size)(nvrtcProgram, size_t*),
                    nvrtcResult (*get)(nvrtcProgram, char*)) {
    nvrtcProgram program = nullptr;
    check(nvrtcCreateProgram(&program, source, "kernels.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS, "nvrtcCreateProgram");
    const auto count = static_cast<int>(options.size());
    check(nvrtcCompileProgram(program, count, options.data()) == NVRTC_SUCCESS, "nvrtcCompileProgram");
    size_t size = 0;
    check(get_size(program, &size) == NVRTC_SUCCESS, "the size of the code");
    std::string code(size, '\0');
    check(get(program, code.data()) == NVRTC_SUCCESS, "the code");
    check(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS, "nvrtcDestroyProgram");
    return code;
}

struct Input {
    nvJitLinkInputType type;
    std::string code;
};

std::string link(std::vector<const char*> options, const std::vector<Input>& inputs) {
    nvJitLinkHandle handle = nullptr;
    check(nvJitLinkCreate(&handle, static_cast<unsigned>(options.size()), options.data()) == NVJITLINK_SUCCESS,
          "nvJitLinkCreate");
    for (const auto& [type, code] : inputs) {
        check(nvJitLinkAddData(handle, type, code.data(), code.size(), "input") == NVJITLINK_SUCCESS, "nvJitLinkAddData");
    }
    check(nvJitLinkComplete(handle) == NVJITLINK_SUCCESS, "nvJitLinkComplete");
    size_t size = 0;
    check(nvJitLinkGetLinkedCubinSize(handle, &size) == NVJITLINK_SUCCESS, "nvJitLinkGetLinkedCubinSize");
    std::string code(size, '\0');
    check(nvJitLinkGetLinkedCubin(handle, code.data()) == NVJITLINK_SUCCESS, "nvJitLinkGetLinkedCubin");
    check(nvJitLinkDestroy(&handle) == NVJITLINK_SUCCESS, "nvJitLinkDestroy");
    return code;
}

// Checks that a link without a definition fails, and that the log names the symbol.
void check_failing_link(std::vector<const char*> options, const Input& input) {
    nvJitLinkHandle handle = nullptr;
    check(nvJitLinkCreate(&handle, static_cast<unsigned>(options.size()), options.data()) == NVJITLINK_SUCCESS,
          "nvJitLinkCreate");
    check(nvJitLinkAddData(handle, input.type, input.code.data(), input.code.size(), "input") == NVJITLINK_SUCCESS,
          "nvJitLinkAddData");
    check(nvJitLinkComplete(handle) != NVJITLINK_SUCCESS, "a link without a definition");
    size_t size = 0;
    check(nvJitLinkGetErrorLogSize(handle, &size) == NVJITLINK_SUCCESS, "nvJitLinkGetErrorLogSize");
    std::string log(size, '\0');
    check(nvJitLinkGetErrorLog(handle, log.data()) == NVJITLINK_SUCCESS, "nvJitLinkGetErrorLog");
    check(log.find("twice") != std::string::npos, log.c_str());
    check(nvJitLinkDestroy(&handle) == NVJITLINK_SUCCESS, "nvJitLinkDestroy");
}

// Checks that the result of the latest compilation is handed out: machine code for sm_90, and none for the default architecture.
void check_repeated_compilation(const char* source) {
    nvrtcProgram program = nullptr;
    check(nvrtcCreateProgram(&program, source, "kernels.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS, "nvrtcCreateProgram");
    const char* options[] = {"-arch=sm_90"};
    size_t size = 0;
    check(nvrtcCompileProgram(program, 1, options) == NVRTC_SUCCESS, "nvrtcCompileProgram");
    check(nvrtcGetCUBINSize(program, &size) == NVRTC_SUCCESS && size != 0, "the size of the code");
    check(nvrtcCompileProgram(program, 0, nullptr) == NVRTC_SUCCESS, "nvrtcCompileProgram without options");
    check(nvrtcGetCUBINSize(program, &size) != NVRTC_SUCCESS || size == 0, "a virtual architecture has no machine code");
    check(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS, "nvrtcDestroyProgram");
}

// Checks that an input of an impossible size is rejected.
void check_impossible_input(const std::string& input) {
    nvJitLinkHandle handle = nullptr;
    const char* options[] = {"-arch=sm_90"};
    check(nvJitLinkCreate(&handle, 1, options) == NVJITLINK_SUCCESS, "nvJitLinkCreate");
    check(nvJitLinkAddData(handle, NVJITLINK_INPUT_PTX, input.data(), ~size_t{0}, "input") != NVJITLINK_SUCCESS,
          "an input of an impossible size");
    check(nvJitLinkDestroy(&handle) == NVJITLINK_SUCCESS, "nvJitLinkDestroy");
}

void run(const char* what, const std::string& code) {
    CUmodule module = nullptr;
    check(cuModuleLoadData(&module, code.data()) == CUDA_SUCCESS, what);
    CUfunction kernel = nullptr;
    check(cuModuleGetFunction(&kernel, module, "compute") == CUDA_SUCCESS, what);
    CUdeviceptr memory = 0;
    check(cuMemAlloc(&memory, sizeof(int)) == CUDA_SUCCESS, what);
    int argument = 21;
    void* arguments[] = {&memory, &argument};
    check(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS, what);
    int result = 0;
    check(cuMemcpyDtoH(&result, memory, sizeof result) == CUDA_SUCCESS, what);
    std::printf("%s: %s, %d\n", what, code.compare(1, 3, "ELF") == 0 ? "ELF" : "text", result);
    check(result == 42, what);
}

constexpr const char* whole = "extern \"C\" __global__ void compute(int* result, int value) { *result = 2 * value; }";
constexpr const char* caller =
    "extern \"C\" __device__ int twice(int value);\n"
    "extern \"C\" __global__ void compute(int* result, int value) { *result = twice(value); }";
constexpr const char* callee = "extern \"C\" __device__ int twice(int value) { return 2 * value; }";

}  // namespace

int main() {
    CUcontext context = nullptr;
    check(cuInit(0) == CUDA_SUCCESS, "cuInit");
    check(cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS && cuCtxSetCurrent(context) == CUDA_SUCCESS, "the context");
    run("NVRTC", compile(whole, {"--gpu-architecture=sm_90"}, nvrtcGetCUBINSize, nvrtcGetCUBIN));
    run("two options", compile(whole, {"-arch", "sm_90", "-lineinfo"}, nvrtcGetCUBINSize, nvrtcGetCUBIN));
    const auto ptx_of = [](const char* source) {
        return compile(source, {"-arch=sm_90", "-rdc=true"}, nvrtcGetPTXSize, nvrtcGetPTX);
    };
    const auto cubin_of = [](const char* source) {
        return compile(source, {"-arch=sm_90", "-rdc=true"}, nvrtcGetCUBINSize, nvrtcGetCUBIN);
    };
    const auto lto_ir_of = [](const char* source) {
        return compile(source, {"-arch=sm_90", "-rdc=true", "-dlto"}, nvrtcGetLTOIRSize, nvrtcGetLTOIR);
    };
    const auto ptx = NVJITLINK_INPUT_PTX;
    const auto cubin = NVJITLINK_INPUT_CUBIN;
    const auto lto_ir = NVJITLINK_INPUT_LTOIR;
    run("PTX", link({"-arch=sm_90"}, {{ptx, ptx_of(caller)}, {ptx, ptx_of(callee)}}));
    run("cubins", link({"-arch=sm_90"}, {{cubin, cubin_of(caller)}, {cubin, cubin_of(callee)}}));
    run("LTO-IR", link({"-arch=sm_90", "-lto"}, {{lto_ir, lto_ir_of(caller)}, {lto_ir, lto_ir_of(callee)}}));
    run("LTO-IR and PTX", link({"-arch=sm_90", "-lto"}, {{lto_ir, lto_ir_of(caller)}, {ptx, ptx_of(callee)}}));
    run("LTO-IR and cubins", link({"-arch=sm_90", "-lto"}, {{cubin, cubin_of(callee)}, {lto_ir, lto_ir_of(caller)}}));
    // What the simulation recognizes of libcudadevrt.a.
    const std::string device_runtime = "!<arch>\ncuda_device_runtime.o/";
    run("LTO-IR and library",
        link({"-arch=sm_90", "-lto"}, {{lto_ir, lto_ir_of(whole)}, {NVJITLINK_INPUT_LIBRARY, device_runtime}}));
    check_failing_link({"-arch=sm_90"}, {ptx, ptx_of(caller)});
    check_failing_link({"-arch=sm_90", "-lto"}, {lto_ir, lto_ir_of(caller)});
    check_repeated_compilation(whole);
    check_impossible_input(ptx_of(whole));
    return 0;
}

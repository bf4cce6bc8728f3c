// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Compiles NVVM IR, NVIDIA's form of LLVM IR, to PTX with libNVVM, links libdevice for a math function, and runs the kernel.
// Compilers of other languages produce device code in this way.

#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/find.hpp>
#include <cubind/library.hpp>
#include <cubind/nvvm.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "example.hpp"

using namespace cubind;
using namespace cubind::nvvm;

namespace {

// data[i] = cbrt(data[i]) for each thread i of one block. Typed pointers are what libNVVM accepts for all devices up to 9.0.
std::string ir() {
    const auto [major, minor, debug_major, debug_minor] = check(nvvmIRVersion());
    const std::string numbers = "i32 " + std::to_string(major) + ", i32 " + std::to_string(minor) + ", i32 " +
                                std::to_string(debug_major) + ", i32 " + std::to_string(debug_minor);
    return R"(target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"

declare double @__nv_cbrt(double)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define void @cube_roots(double* %data) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %index = zext i32 %thread to i64
  %address = getelementptr double, double* %data, i64 %index
  %value = load double, double* %address
  %root = call double @__nv_cbrt(double %value)
  store double %root, double* %address
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{void (double*)* @cube_roots, !"kernel", i32 1}
!nvvmir.version = !{!1}
!1 = !{)" + numbers +
           "}\n";
}

std::string compile(const std::string& libdevice, const std::string& arch) {
    struct Program {
        nvvmProgram handle = check(nvvmCreateProgram());
        ~Program() { (void)nvvmDestroyProgram(handle); }
    } program;
    const std::string text = ir();
    check(nvvmAddModuleToProgram(program.handle, text.data(), text.size(), "cube_roots.ll"));
    // Only the functions that are used become part of the result.
    check(nvvmLazyAddModuleToProgram(program.handle, libdevice.data(), libdevice.size(), "libdevice.bc"));
    const std::string option = "-arch=compute_" + arch;
    const char* options[] = {option.c_str()};
    if (const auto compiled = nvvmCompileProgram(program.handle, 1, options); !compiled.ok()) {
        std::string log(check(nvvmGetProgramLogSize(program.handle)), '\0');
        check(nvvmGetProgramLog(program.handle, log.data()));
        std::fprintf(stderr, "%s\n", log.c_str());
        check(compiled);
    }
    std::string ptx(check(nvvmGetCompiledResultSize(program.handle)), '\0');
    check(nvvmGetCompiledResult(program.handle, ptx.data()));
    ptx.resize(ptx.find('\0'));
    return ptx;
}

int nvvm_to_ptx() {
    if (library_path(nvvm::library()) == nullptr) return example::skip("libNVVM, which is part of the toolkit, was not found.");
    const Location bitcode = locate(ArtifactKind::bitcode_library, "device");
    if (!bitcode.ok()) return example::skip("libdevice was not found: " + bitcode.message);
    std::ifstream file(bitcode.path, std::ios::binary);
    const std::string libdevice(std::istreambuf_iterator<char>(file), {});

    const Device device;
    const Stream stream(device);
    const std::string ptx = compile(libdevice, device.arch());
    std::printf("%zu bytes of PTX from NVVM IR and %s\n", ptx.size(), bitcode.path.c_str());

    constexpr std::size_t n = 64;
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i * i * i);
    const ObjectCode code = ObjectCode::from_bytes(CodeType::ptx, ptx);
    TypedBuffer<double> data = device.allocate<double>(stream, n);
    copy(stream, data, values);
    launch(stream, {.grid = 1, .block = n}, code.kernel("cube_roots"), data);
    copy(stream, values, data);
    stream.synchronize();
    bool right = true;
    for (std::size_t i = 0; i < n; ++i)
        right = right && std::abs(values[i] - static_cast<double>(i)) <= 1e-14 * static_cast<double>(i);
    return example::verdict(right, "the cube roots of 64 cubes are whole numbers, up to 1e-14");
}

}  // namespace

int main() {
    return example::run(nvvm_to_ptx);
}

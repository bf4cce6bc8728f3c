// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Compilation of a kernel with NVRTC and loading of the result, for the examples with kernels.

#include <cubind/check.hpp>
#include <cubind/driver.hpp>
#include <cubind/library.hpp>
#include <cubind/nvrtc.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace example {

namespace driver = cubind::driver;
namespace nvrtc = cubind::nvrtc;
using cubind::check;

/// Returns whether NVRTC can be loaded.
inline bool has_nvrtc() {
    return cubind::library_path(nvrtc::library()) != nullptr;
}

/// Output of a compilation.
enum class Output {
    ptx,     // text that the driver compiles when it loads it; requires -arch=compute_...
    lto_ir,  // input of nvJitLink for optimization across translation units; requires -dlto
};

/// Compiles CUDA C++. If the source has errors, prints the compiler's log and throws.
inline std::vector<char> compile(const char* source, const char* name, const std::vector<std::string>& options, Output output) {
    struct Program {
        nvrtc::nvrtcProgram handle;
        ~Program() { (void)nvrtc::nvrtcDestroyProgram(handle); }
    } program{check(nvrtc::nvrtcCreateProgram(source, name, 0, nullptr, nullptr))};

    std::vector<const char*> texts;
    for (const std::string& option : options) texts.push_back(option.c_str());
    const auto compiled = nvrtc::nvrtcCompileProgram(program.handle, static_cast<int>(texts.size()), texts.data());
    if (!compiled.ok()) {
        std::vector<char> log(check(nvrtc::nvrtcGetProgramLogSize(program.handle)) + 1);
        check(nvrtc::nvrtcGetProgramLog(program.handle, log.data()));
        std::fprintf(stderr, "%s\n", log.data());
    }
    check(compiled);

    std::vector<char> code;
    switch (output) {
        case Output::ptx:  // the size includes the terminating zero
            code.resize(check(nvrtc::nvrtcGetPTXSize(program.handle)));
            check(nvrtc::nvrtcGetPTX(program.handle, code.data()));
            break;
        case Output::lto_ir:
            code.resize(check(nvrtc::nvrtcGetLTOIRSize(program.handle)));
            check(nvrtc::nvrtcGetLTOIR(program.handle, code.data()));
            break;
    }
    return code;
}

/// Loads PTX. If the driver is too old for it, prints what to do and throws. `writer` is the library that wrote the PTX, and
/// `variable` is the environment variable that selects another library.
inline driver::CUmodule load_ptx(const std::vector<char>& ptx, const char* writer, const char* variable) {
    const auto loaded = driver::cuModuleLoadData(ptx.data());
    if (loaded.status == driver::CUDA_ERROR_UNSUPPORTED_PTX_VERSION) {
        const int supported = check(driver::cuDriverGetVersion());
        std::fprintf(stderr,
                     "%s wrote PTX that is too new for this driver, which supports CUDA up to %d.%d: update the driver, or "
                     "set %s to the path of a library that is not newer than the driver.\n",
                     writer, supported / 1000, supported % 1000 / 10, variable);
    }
    return check(loaded);
}

}  // namespace example

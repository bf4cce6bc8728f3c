// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Compiling a kernel with NVRTC, for the examples that have one.

#include <cubind/check.hpp>
#include <cubind/library.hpp>
#include <cubind/nvrtc.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace example {

namespace nvrtc = cubind::nvrtc;
using cubind::check;

inline bool has_nvrtc() {
    return cubind::library_path(nvrtc::library()) != nullptr;
}

enum class Output {
    cubin,   // machine code of one GPU; asks for -arch=sm_...
    ptx,     // text that the driver compiles when it loads it; asks for -arch=compute_...
    lto_ir,  // what nvJitLink optimizes across translation units; asks for -dlto
};

/// Compiles CUDA C++. When it has errors, prints the compiler's log and throws.
inline std::vector<char> compile(const char* source, const char* name, const std::vector<std::string>& options,
                                 Output output) {
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
        case Output::cubin:
            code.resize(check(nvrtc::nvrtcGetCUBINSize(program.handle)));
            check(nvrtc::nvrtcGetCUBIN(program.handle, code.data()));
            break;
        case Output::ptx:  // its size counts the zero at its end
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

}  // namespace example

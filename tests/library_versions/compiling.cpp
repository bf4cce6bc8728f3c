// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "compiling.hpp"

#include <cubind/failure.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace cubind::testing {

using namespace cubind;
using namespace cubind::nvrtc;
using namespace cubind::nvjitlink;

namespace {

// Queries the size of a text and then reads the text.
template <class Handle, class Size, class Get>
std::string text_of(Handle handle, Size size_of, Get get) {
    auto [status, size] = size_of(handle);
    std::string text(size, '\0');
    const bool is_read = status == decltype(status){} && get(handle, text.data()).ok();
    EXPECT_TRUE(is_read) << last_failure().function << ": " << last_failure().status;
    return text;
}

}  // namespace

Compiled compile(const char* source, const std::vector<const char*>& options) {
    auto [created, program] = nvrtcCreateProgram(source, "test.cu", 0, nullptr, nullptr);
    EXPECT_EQ(created, NVRTC_SUCCESS) << last_failure().detail;
    Compiled compiled{.status = nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data()).status,
                      .log = text_of(program, nvrtcGetProgramLogSize, nvrtcGetProgramLog),
                      .ptx = {},
                      .cubin = {},
                      .lto_ir = {}};
    if (compiled.status == NVRTC_SUCCESS) {
        bool is_lto = false;
        for (const std::string option : options) is_lto = is_lto || option == "-dlto";
        if (is_lto) {
            compiled.lto_ir = text_of(program, nvrtcGetLTOIRSize, nvrtcGetLTOIR);
        } else {
            compiled.ptx = text_of(program, nvrtcGetPTXSize, nvrtcGetPTX);
            compiled.cubin = text_of(program, nvrtcGetCUBINSize, nvrtcGetCUBIN);
        }
    }
    auto [destroyed, cleared] = nvrtcDestroyProgram(program);
    EXPECT_EQ(destroyed, NVRTC_SUCCESS);
    EXPECT_EQ(cleared, nullptr);
    return compiled;
}

Linked link(const Inputs& inputs, std::vector<const char*> options) {
    auto [status, linker] = nvJitLinkCreate(static_cast<std::uint32_t>(options.size()), options.data());
    EXPECT_EQ(status, NVJITLINK_SUCCESS) << last_failure().detail;
    if (status != NVJITLINK_SUCCESS) return {status, {}, {}, {}};
    for (const auto& [type, data] : inputs) {
        if (status == NVJITLINK_SUCCESS) status = nvJitLinkAddData(linker, type, data.data(), data.size(), "input").status;
    }
    if (status == NVJITLINK_SUCCESS) status = nvJitLinkComplete(linker).status;
    Linked linked{.status = status,
                  .info = text_of(linker, nvJitLinkGetInfoLogSize, nvJitLinkGetInfoLog),
                  .errors = text_of(linker, nvJitLinkGetErrorLogSize, nvJitLinkGetErrorLog),
                  .cubin = {}};
    if (status == NVJITLINK_SUCCESS) linked.cubin = text_of(linker, nvJitLinkGetLinkedCubinSize, nvJitLinkGetLinkedCubin);
    EXPECT_EQ(nvJitLinkDestroy(linker).status, NVJITLINK_SUCCESS);
    return linked;
}

}  // namespace cubind::testing

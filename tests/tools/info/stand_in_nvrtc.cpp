// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for NVRTC that compiles every program to the same PTX, or fails to compile every program.
#include <cubind/nvrtc/types.hpp>

#include <cstdio>
#include <cstring>
#include <string>

#include "stand_in.hpp"

using namespace cubind::nvrtc;

namespace {

const char log_text[] = "first line\nsecond line\n";

std::string ptx() {
    const int isa = number_from("STAND_IN_PTX", 9000);
    return "//\n.version " + std::to_string(isa / 1000) + "." + std::to_string(isa % 1000 / 10) + "\n.target sm_75\n";
}

}  // namespace

extern "C" {

nvrtcResult nvrtcVersion(int* major, int* minor) {
    const int version = number_from("STAND_IN_NVRTC", 13000);
    *major = version / 1000;
    *minor = version % 1000 / 10;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
    *count = 3;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
    const int known[] = {75, 90, 120};
    std::memcpy(architectures, known, sizeof known);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char*, const char*, int, const char* const*, const char* const*) {
    *program = nullptr;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram*) {
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram, int, const char* const*) {
    return static_cast<nvrtcResult>(number_from("STAND_IN_COMPILE", NVRTC_SUCCESS));
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram, std::size_t* size) {
    *size = sizeof log_text;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram, char* log) {
    std::memcpy(log, log_text, sizeof log_text);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram, std::size_t* size) {
    *size = ptx().size() + 1;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTX(nvrtcProgram, char* text) {
    std::memcpy(text, ptx().c_str(), ptx().size() + 1);
    return NVRTC_SUCCESS;
}

}  // extern "C"

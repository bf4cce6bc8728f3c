// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/header_advice.hpp"

#include <cubind/detail/ptx_isa.hpp>

#include <algorithm>
#include <span>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

/// Headers of the standard libraries of C and C++ that device code has under other names.
constexpr std::string_view standard_headers[] = {
    "algorithm",        "array",    "atomic",      "bit",      "cassert",     "cfloat",  "chrono",   "climits",  "cmath",
    "complex",          "concepts", "cstddef",     "cstdint",  "cstdio",      "cstdlib", "cstring",  "ctime",    "functional",
    "initializer_list", "iterator", "latch",       "limits",   "memory",      "numeric", "optional", "ranges",   "ratio",
    "semaphore",        "span",     "string_view", "tuple",    "type_traits", "utility", "variant",  "version",  "assert.h",
    "float.h",          "limits.h", "math.h",      "stddef.h", "stdint.h",    "stdio.h", "stdlib.h", "string.h", "barrier"};

/// Beginnings of the names of CUDA's headers.
constexpr std::string_view cccl_headers[] = {"cub/", "cuda/", "nv/", "thrust/"};
constexpr std::string_view other_cuda_headers[] = {
    "builtin_types.h", "channel_descriptor.h", "cooperative_groups", "crt/",          "cuda",
    "device_types.h",  "driver_types.h",       "math_constants.h",   "mma.h",         "sm_",
    "surface_types.h", "texture_types.h",      "vector_functions.h", "vector_types.h"};

bool begins_with_one(std::string_view name, std::span<const std::string_view> beginnings) noexcept {
    return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view begin) { return name.starts_with(begin); });
}

std::string advice_on_missing_file(const ToolkitHeaders& headers, int nvrtc_release, std::string_view name) {
    const int major = nvrtc_release / 1000;
    if (std::find(std::begin(standard_headers), std::end(standard_headers), name) != std::end(standard_headers)) {
        std::string_view stem = name.substr(0, name.find('.'));
        const bool is_c = stem != name;
        return concat(". NVRTC has no standard library of C++: device code includes <cuda/std/", is_c ? "c" : "", stem,
                      "> instead, whose names are in the namespace cuda::std");
    }
    if (!is_cuda_header(name)) return {};
    const bool is_cccl = begins_with_one(name, cccl_headers);
    const std::string found = headers.folders.empty() ? std::string("no headers of CUDA were found beside NVRTC")
                                                      : concat("it is not in ", headers.folders.front());
    return concat(". This is a header of ", is_cccl ? "CCCL" : "the CUDA toolkit", ", and ", found, ". Install the ",
                  is_cccl ? "package cuda-cccl" : "package cuda-cudart-dev", " or the wheel ",
                  is_cccl ? "nvidia-cuda-cccl" : "nvidia-cuda-runtime", " of CUDA ", release_text(nvrtc_release),
                  ", or set CUDA_PATH to a toolkit of CUDA ", major);
}

}  // namespace

std::string_view missing_file(std::string_view log) {
    constexpr std::string_view message = "open source file \"";  // after "could not" or "cannot"
    const std::size_t at = log.find(message);
    if (at == std::string_view::npos) return {};
    const std::string_view name = log.substr(at + message.size());
    return name.substr(0, name.find_first_of("\"\n"));
}

bool is_cuda_header(std::string_view name) noexcept {
    return begins_with_one(name, cccl_headers) || begins_with_one(name, other_cuda_headers);
}

std::string advice_on_headers(const ToolkitHeaders& headers, int nvrtc_release, std::string_view log) {
    const std::string_view missing = missing_file(log);
    if (!missing.empty() && !headers.refused.empty()) {
        std::string text = ". Folders with headers of CUDA were found and refused: ";
        for (const std::string& each : headers.refused) text.append(&each == &headers.refused.front() ? "" : "; ").append(each);
        return text;
    }
    if (!missing.empty()) {
        if (std::string advice = advice_on_missing_file(headers, nvrtc_release, missing); !advice.empty()) return advice;
    }
    if (headers.folders.empty() || headers.release == 0 || headers.release == nvrtc_release) return {};
    if (log.find(headers.folders.front()) == std::string_view::npos) return {};
    return concat(". The headers in ", headers.folders.front(), " are of CUDA ", release_text(headers.release),
                  ", but NVRTC is of CUDA ", release_text(nvrtc_release), ": use both of one release");
}

}  // namespace CUBIND_NAMESPACE::detail

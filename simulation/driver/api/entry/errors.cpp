// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/strings.hpp>

#include <cstring>
#include <simulation/functions.hpp>

#include "machine/machine.hpp"
#include "support/error_texts.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Errors that the release does not define have neither a name nor a description.
CUresult write_text(CUresult error, const char* text, const char** out) {
    if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const bool is_known = std::strncmp(to_string(error), "unrecognized", 12) != 0 && release_of(error) <= machine().release;
    *out = is_known ? text : nullptr;
    return is_known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace

extern "C" {

CUresult sim_cuGetErrorName(CUresult error, const char** pStr) {
    return write_text(error, to_string(error), pStr);
}

CUresult sim_cuGetErrorString(CUresult error, const char** pStr) {
    const char* const text = driver_text(error);
    return write_text(error, text != nullptr ? text : describe(error), pStr);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim

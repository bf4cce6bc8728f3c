// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/runtime/strings.hpp>

#include <cstring>

#include "support/error_texts.hpp"
#include "support/thread_state.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

constexpr const char* unknown_text = "unrecognized error code";

bool is_known(cudaError_t error) noexcept {
    return std::strncmp(to_string(error), "unrecognized", 12) != 0;
}

}  // namespace

extern "C" {

cudaError_t sim_cudaGetLastError() {
    const cudaError_t status = thread_state.last_error;
    thread_state.last_error = cudaSuccess;
    return status;
}

cudaError_t sim_cudaPeekAtLastError() {
    return thread_state.last_error;
}

const char* sim_cudaGetErrorName(cudaError_t error) {
    return is_known(error) ? to_string(error) : unknown_text;
}

// Statuses of both libraries have the driver's texts.
const char* sim_cudaGetErrorString(cudaError_t error) {
    if (!is_known(error)) return unknown_text;
    if (const char* const text = runtime_text(error)) return text;
    const char* text = nullptr;
    return cuGetErrorString(static_cast<CUresult>(error), &text) == CUDA_SUCCESS ? text : describe(error);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/call.hpp"
#include "state/registry.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

bool can_write(cudaMemcpyKind kind) noexcept {
    return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

bool can_read(cudaMemcpyKind kind) noexcept {
    return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

}  // namespace

extern "C" {

cudaError_t sim_cudaGetSymbolAddress(void** devPtr, const void* symbol) {
    Variable variable;
    if (devPtr == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = find_variable(symbol, variable)) return status;
    *devPtr = reinterpret_cast<void*>(variable.address);
    return cudaSuccess;
}

cudaError_t sim_cudaGetSymbolSize(std::size_t* size, const void* symbol) {
    Variable variable;
    if (size == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = find_variable(symbol, variable)) return status;
    *size = variable.size;
    return cudaSuccess;
}

cudaError_t sim_cudaMemcpyToSymbol(const void* symbol, const void* src, std::size_t count, std::size_t offset,
                                   cudaMemcpyKind kind) {
    char* part = nullptr;
    if (count == 0) return bind_context();
    if (const cudaError_t status = find_variable_part(symbol, count, offset, part)) return status;
    if (!can_write(kind)) return cudaErrorInvalidMemcpyDirection;
    return sim_cudaMemcpy(part, src, count, kind);
}

cudaError_t sim_cudaMemcpyToSymbolAsync(const void* symbol, const void* src, std::size_t count, std::size_t offset,
                                        cudaMemcpyKind kind, cudaStream_t stream) {
    char* part = nullptr;
    if (count == 0) return bind_context();
    if (const cudaError_t status = find_variable_part(symbol, count, offset, part)) return status;
    if (!can_write(kind)) return cudaErrorInvalidMemcpyDirection;
    return sim_cudaMemcpyAsync(part, src, count, kind, stream);
}

cudaError_t sim_cudaMemcpyFromSymbol(void* dst, const void* symbol, std::size_t count, std::size_t offset, cudaMemcpyKind kind) {
    char* part = nullptr;
    if (count == 0) return bind_context();
    if (const cudaError_t status = find_variable_part(symbol, count, offset, part)) return status;
    if (!can_read(kind)) return cudaErrorInvalidMemcpyDirection;
    return sim_cudaMemcpy(dst, part, count, kind);
}

cudaError_t sim_cudaMemcpyFromSymbolAsync(void* dst, const void* symbol, std::size_t count, std::size_t offset,
                                          cudaMemcpyKind kind, cudaStream_t stream) {
    char* part = nullptr;
    if (count == 0) return bind_context();
    if (const cudaError_t status = find_variable_part(symbol, count, offset, part)) return status;
    if (!can_read(kind)) return cudaErrorInvalidMemcpyDirection;
    return sim_cudaMemcpyAsync(dst, part, count, kind, stream);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver.hpp>
#include <cubind/runtime.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <dlfcn.h>
#include <vector>

namespace cubind::testing {

using namespace cubind::runtime;

/// Returns a symbol of the loaded runtime library, such as one that code of nvcc calls; null if the library lacks it.
template <class Function>
Function* runtime_symbol(const char* name) {
    void* const library = dlopen(library_path(runtime::library()), RTLD_NOW);
    return reinterpret_cast<Function*>(library != nullptr ? dlsym(library, name) : nullptr);
}

/// Whether the tests run on the simulation. They also run on NVIDIA's libraries, except for what only the simulation promises.
inline bool is_simulated() {
    return runtime_symbol<void()>("cudaCubindSimulation") != nullptr;
}

/// Allocates device memory.
inline void* allocate(std::size_t bytes) {
    const auto [status, memory] = cudaMalloc(bytes);
    EXPECT_EQ(status, cudaSuccess);
    return memory;
}

/// Returns device memory as values.
template <class T>
std::vector<T> read(const void* memory, std::size_t count) {
    std::vector<T> values(count);
    EXPECT_EQ(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost).status, cudaSuccess);
    return values;
}

/// Copies values to new device memory.
template <class T>
void* write(const std::vector<T>& values) {
    void* const memory = allocate(values.size() * sizeof(T));
    EXPECT_EQ(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice).status, cudaSuccess);
    return memory;
}

}  // namespace cubind::testing

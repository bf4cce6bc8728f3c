// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Shared by the benchmarks of the high-level layer: the functions of the driver for the baselines, and the main program.

#include <cubind/core/stream.hpp>
#include <cubind/driver/loading.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/error.hpp>
#include <cubind/library.hpp>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

#include "../time_calls.hpp"

inline void expect(cubind::driver::CUresult status) {
    if (status != cubind::driver::CUDA_SUCCESS) [[unlikely]]
        std::abort();
}

/// Returns a function of the driver, to be called through a pointer as in a program that is linked with the driver. The driver is
/// the one that cubind loads, so that both sides of a comparison call the same code.
template <class Function>
Function* plain(const char* symbol) {
    static void* const library = dlopen(cubind::library_path(cubind::driver::library()), RTLD_NOW);
    void* const address = library == nullptr ? nullptr : dlsym(library, symbol);
    if (address == nullptr) std::abort();
    return reinterpret_cast<Function*>(address);
}

template <class Call>
void time_calls_on(benchmark::State& state, cubind::StreamRef stream, Call call) {
    time_calls(
        state, [stream] { stream.synchronize(); }, call);
}

/// Runs the benchmarks that `add` registers and returns the exit status. The status 77 means that no device is available.
inline int run_benchmarks(int argc, char** argv, void (*add)()) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    try {
        add();
    } catch (const cubind::Error& error) {
        std::fprintf(stderr, "no GPU: %s\n", error.what());
        return 77;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Shared by the benchmarks of the high-level layer: the functions of the driver for the baselines, and the main program.

#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/loading.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/error.hpp>
#include <cubind/library.hpp>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

#include "../alternate.hpp"
#include "../plain.hpp"

inline void expect(cubind::driver::CUresult status) {
    if (status != cubind::driver::CUDA_SUCCESS) [[unlikely]]
        std::abort();
}

/// Returns the driver that cubind loads, so that both sides of a comparison call the same code.
inline void* driver_library() {
    static void* const library = dlopen(cubind::library_path(cubind::driver::library()), RTLD_NOW);
    return library;
}

/// Returns a function of the driver, to be called through a pointer as in a program that is linked with the driver.
template <class Function>
Function* plain(const char* symbol) {
    return plain<Function>(cubind::driver::library(), symbol);
}

/// The number of calls in a batch. The work of a batch fits into the queue of the device, so that no call blocks.
constexpr int batch = 256;

/// Adds a way to make a call that enqueues work. Waits for the stream after each batch.
template <class Call>
void add_call(Alternation& calls, const std::string& call, const std::string& way, cubind::StreamRef stream, Call one) {
    calls.add(call, way, batch, std::move(one), [stream] { stream.synchronize(); });
}

/// Runs the calls that `add` adds and returns the exit status. The status 77 means that no device is available.
inline int run_benchmarks(int argc, char** argv, void (*add)(Alternation&)) {
    Alternation calls(argc, argv);
    try {
        (void)cubind::Device::all().at(0);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "no GPU: %s\n", error.what());
        return 77;
    }
    add(calls);
    return calls.run();
}

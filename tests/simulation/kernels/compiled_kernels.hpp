// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver.hpp>
#include <cubind/nvrtc.hpp>
#include <cubind/sim/install.hpp>
#include <cubind/sim/kernels.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "recorded_results.hpp"

namespace cubind::testing {

using namespace cubind::driver;
namespace sim = cubind::sim;

/// How a kernel is compiled, and how the simulation runs it.
struct Variant {
    const char* name;
    const char* option;  ///< of NVRTC; empty for none
    unsigned workers;
    unsigned long long seed;
};

/// Compiles CUDA C++ with NVRTC, loads the PTX on a simulated device, and launches its kernels. Compares what a test downloads
/// with what it downloaded from a GPU. If the environment variable CUBIND_TEST_GPU is set, the tests run on the GPU of this
/// machine.
class KernelsTest : public ::testing::TestWithParam<Variant> {
protected:
    void SetUp() override;
    void TearDown() override;

    /// Compiles and loads a program. Later calls of run() and launch() find its kernels.
    void load(const std::string& source, std::vector<std::string> options = {});
    /// Loads a program that includes headers of CUDA. Skips the test if the release has no header of this name.
    void load_with_headers(const std::string& source, const std::string& header);
    /// Loads a program whose kernels launch kernels: links it with the library of the device runtime. On a GPU, the
    /// environment variable CUBIND_TEST_DEVICE_RUNTIME names the library.
    void load_with_device_runtime(const std::string& source);
    CUfunction function(const char* name) const;

    /// Launches a kernel and returns the status of the launch, or that of the synchronization after it.
    template <class... Arguments>
    CUresult launch(const char* name, sim::Extent3 grid, sim::Extent3 block, unsigned shared_bytes, Arguments... arguments) {
        const CUresult status = enqueue(name, nullptr, grid, block, shared_bytes, arguments...);
        return status != CUDA_SUCCESS ? status : cuCtxSynchronize().status;
    }
    /// Launches a kernel in a stream.
    template <class... Arguments>
    CUresult enqueue(const char* name, CUstream stream, sim::Extent3 grid, sim::Extent3 block, unsigned shared_bytes,
                     Arguments... arguments) {
        (add_argument(arguments), ...);
        void* addresses[] = {&arguments..., nullptr};
        return cuLaunchKernel(function(name), grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes, stream, addresses,
                              nullptr)
            .status;
    }
    /// Launches a kernel in clusters of this size.
    template <class... Arguments>
    CUresult launch_clusters(const char* name, sim::Extent3 grid, sim::Extent3 block, sim::Extent3 cluster, unsigned shared_bytes,
                             Arguments... arguments) {
        (add_argument(arguments), ...);
        void* addresses[] = {&arguments..., nullptr};
        CUlaunchAttribute attribute{};
        attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attribute.value.clusterDim = {cluster.x, cluster.y, cluster.z};
        const CUlaunchConfig config{grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes, nullptr, &attribute, 1};
        const CUresult status = cuLaunchKernelEx(&config, function(name), addresses, nullptr).status;
        return status != CUDA_SUCCESS ? status : cuCtxSynchronize().status;
    }
    /// Launches a kernel, which must succeed.
    template <class... Arguments>
    void run(const char* name, sim::Extent3 grid, sim::Extent3 block, Arguments... arguments) {
        run_shared(name, grid, block, 0, arguments...);
    }
    template <class... Arguments>
    void run_shared(const char* name, sim::Extent3 grid, sim::Extent3 block, unsigned shared_bytes, Arguments... arguments) {
        ASSERT_EQ(launch(name, grid, block, shared_bytes, arguments...), CUDA_SUCCESS) << problem();
    }
    /// Returns the reason of the latest failure.
    static std::string problem() {
        const auto all = sim::launches();
        return all.empty() ? "" : all.back().problem;
    }

    template <class Value>
    static CUdeviceptr upload(const std::vector<Value>& values) {
        RecordedResults::add_input(std::as_bytes(std::span(values)));
        const CUdeviceptr memory = cuMemAlloc(values.size() * sizeof(Value)).value;
        EXPECT_EQ(cuMemcpyHtoD(memory, values.data(), values.size() * sizeof(Value)).status, CUDA_SUCCESS);
        return memory;
    }
    /// Allocates memory for values that are 0.
    template <class Value>
    static CUdeviceptr zeros(std::size_t count) {
        return upload(std::vector<Value>(count));
    }
    template <class Value>
    static std::vector<Value> download(CUdeviceptr memory, std::size_t count) {
        std::vector<Value> values(count);
        EXPECT_EQ(cuMemcpyDtoH(values.data(), memory, count * sizeof(Value)).status, CUDA_SUCCESS);
        RecordedResults::add_result(std::as_bytes(std::span(values)));
        return values;
    }
    static bool is_fast() { return GetParam().option == std::string("-use_fast_math"); }

    CUmodule module = nullptr;
    std::string ptx;  ///< of the module

private:
    /// Compiles a program. Results of the test depend on its PTX.
    void compile_for_test(const std::string& source, std::vector<std::string> options);
    // The addresses of memory differ from run to run.
    template <class Argument>
    static void add_argument(const Argument& argument) {
        if constexpr (!std::is_same_v<Argument, CUdeviceptr>) RecordedResults::add_input(std::as_bytes(std::span(&argument, 1)));
    }
};

/// Returns numbers that are the same in each run.
template <class Value>
std::vector<Value> random_integers(std::size_t count, Value low, Value high, unsigned seed = 1) {
    std::mt19937_64 engine(seed);
    std::vector<Value> values(count);
    for (Value& value : values) {
        const auto range = static_cast<unsigned long long>(high) - static_cast<unsigned long long>(low);
        const unsigned long long number = engine();
        value = static_cast<Value>(static_cast<unsigned long long>(low) + (range + 1 == 0 ? number : number % (range + 1)));
    }
    return values;
}
template <class Value>
std::vector<Value> random_reals(std::size_t count, Value low, Value high, unsigned seed = 1) {
    std::mt19937_64 engine(seed);
    std::vector<Value> values(count);
    for (Value& value : values) {
        value = static_cast<Value>(low + (high - low) * (static_cast<double>(engine() >> 11) * 0x1p-53));
    }
    return values;
}

std::vector<Variant> variants();
std::string name_of_variant(const ::testing::TestParamInfo<Variant>& info);

}  // namespace cubind::testing

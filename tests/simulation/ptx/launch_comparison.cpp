// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "launch_comparison.hpp"

#include <cubind/driver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sstream>

#include "recorded_results.hpp"

namespace cubind::testing {

namespace {

using namespace cubind::driver;

// Tests name a later target for some forms, and PTX for later targets does not load.
std::string with_target_of_gpu(std::string text) {
    const std::string later = ".target sm_100";
    const std::size_t at = text.find(later);
    if (at != std::string::npos) text.replace(at, later.size(), ".target sm_90");
    return text;
}

/// The memory of a launch on the GPU.
class GpuMemory {
public:
    GpuMemory(CUmodule module, const std::vector<Contents>& memory) : memory_(memory) {
        for (const Contents& each : memory) {
            CUdeviceptr address = 0;
            if (!each.variable.empty()) {
                address = cuModuleGetGlobal(module, each.variable.c_str()).value1;
            } else if (!each.bytes.empty()) {
                address = cuMemAlloc(each.bytes.size()).value;
            }
            if (address != 0 && !each.bytes.empty()) {
                EXPECT_EQ(cuMemcpyHtoD(address, each.bytes.data(), each.bytes.size()).status, CUDA_SUCCESS);
            }
            addresses_.push_back(address);
        }
    }
    /// Translates an address of the tests' memory. Returns other numbers unchanged.
    std::uint64_t translate(std::uint64_t argument) const {
        for (std::size_t i = 0; i < memory_.size(); ++i) {
            const std::uint64_t offset = argument - memory_[i].address;
            if (argument >= memory_[i].address && offset <= memory_[i].bytes.size()) return addresses_[i] + offset;
        }
        return argument;
    }
    std::vector<Contents> read() const {
        std::vector<Contents> all = memory_;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (addresses_[i] == 0 || all[i].bytes.empty()) continue;
            EXPECT_EQ(cuMemcpyDtoH(all[i].bytes.data(), addresses_[i], all[i].bytes.size()).status, CUDA_SUCCESS);
        }
        return all;
    }
    void free() {
        for (std::size_t i = 0; i < memory_.size(); ++i) {
            if (memory_[i].variable.empty() && addresses_[i] != 0) (void)cuMemFree(addresses_[i]);
        }
    }

private:
    const std::vector<Contents>& memory_;
    std::vector<CUdeviceptr> addresses_;
};

CUresult run(CUfunction function, const TestLaunch& launch, std::vector<std::uint64_t> arguments) {
    std::size_t bytes = arguments.size() * sizeof(std::uint64_t);
    std::array<void*, 5> extra{CU_LAUNCH_PARAM_BUFFER_POINTER, arguments.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                               CU_LAUNCH_PARAM_END};
    std::vector<CUlaunchAttribute> attributes;
    if (launch.is_cooperative) {
        CUlaunchAttribute& cooperative = attributes.emplace_back();
        cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
        cooperative.value.cooperative = 1;
    }
    if (!(launch.cluster == sim::Extent3{})) {
        CUlaunchAttribute& cluster = attributes.emplace_back();
        cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        cluster.value.clusterDim = {launch.cluster.x, launch.cluster.y, launch.cluster.z};
    }
    CUlaunchConfig config{};
    config.gridDimX = launch.grid.x;
    config.gridDimY = launch.grid.y;
    config.gridDimZ = launch.grid.z;
    config.blockDimX = launch.block.x;
    config.blockDimY = launch.block.y;
    config.blockDimZ = launch.block.z;
    config.sharedMemBytes = static_cast<unsigned>(launch.dynamic_shared_bytes);
    config.attrs = attributes.data();
    config.numAttrs = static_cast<unsigned>(attributes.size());
    const CUresult status = cuLaunchKernelEx(&config, function, nullptr, arguments.empty() ? nullptr : extra.data()).status;
    return status != CUDA_SUCCESS ? status : cuCtxSynchronize().status;
}

/// A module on the GPU.
struct GpuModule {
    std::string text;
    CUmodule handle = nullptr;  ///< null if the driver refuses the PTX
};

// Many launches of a test have the same PTX, and loading takes longer than a launch.
const GpuModule& load_on_gpu(const std::string& text) {
    static GpuModule latest;
    if (latest.text == text) return latest;
    if (latest.handle != nullptr) (void)cuModuleUnload(latest.handle);
    std::string log(4096, '\0');
    std::array<CUjit_option, 2> options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
    const auto loaded = cuModuleLoadDataEx(with_target_of_gpu(text).c_str(), static_cast<unsigned>(options.size()),
                                           options.data(), values.data());
    if (!loaded.ok()) {
        std::printf("not supported by the GPU's driver (status %d): %s\n", static_cast<int>(loaded.status), log.c_str());
    }
    latest = {text, loaded.ok() ? loaded.value : nullptr};
    return latest;
}

/// Runs a launch on the GPU and returns the memory afterwards, or nothing if the driver refuses the PTX.
std::optional<std::vector<Contents>> launch_on_gpu(const TestLaunch& launch, const std::vector<Contents>& memory) {
    static const CUcontext context = cuInit(0).ok() ? cuCtxCreate_v2(0, 0).value : nullptr;
    EXPECT_NE(context, nullptr) << "the GPU cannot be used";
    const CUmodule module = load_on_gpu(launch.text).handle;
    if (module == nullptr) return std::nullopt;
    const auto function = cuModuleGetFunction(module, launch.kernel.c_str());
    EXPECT_EQ(function.status, CUDA_SUCCESS) << launch.kernel;
    GpuMemory on_gpu(module, memory);
    std::vector<std::uint64_t> arguments = launch.arguments;
    for (std::uint64_t& each : arguments) each = on_gpu.translate(each);
    const CUresult outcome = run(function.value, launch, arguments);
    if (outcome != CUDA_SUCCESS) {
        // The context is useless now. Other launches would fail, too.
        std::printf("the launch fails on the GPU with status %d:\n%s\n", static_cast<int>(outcome), launch.text.c_str());
        std::fflush(stdout);
        std::_Exit(EXIT_FAILURE);
    }
    std::vector<Contents> after = on_gpu.read();
    on_gpu.free();
    return after;
}

// Reports the first bytes that differ.
void expect_equal(const Contents& simulated, const Contents& of_gpu, std::size_t number, const std::string& text) {
    if (simulated.bytes == of_gpu.bytes) return;
    std::string differences;
    int shown = 0;
    for (std::size_t at = 0; at < simulated.bytes.size() && shown < 70; at += 4) {
        std::uint32_t words[2] = {};
        const std::size_t bytes = std::min<std::size_t>(4, simulated.bytes.size() - at);
        std::memcpy(&words[0], &simulated.bytes[at], bytes);
        std::memcpy(&words[1], &of_gpu.bytes[at], bytes);
        if (words[0] == words[1]) continue;
        char line[80];
        std::snprintf(line, sizeof line, "  byte %zu: %08x here, %08x on the GPU\n", at, words[0], words[1]);
        differences += line;
        ++shown;
    }
    ADD_FAILURE() << "allocation " << number << ' ' << simulated.variable << " of " << simulated.bytes.size()
                  << " bytes differs from that of the GPU:\n"
                  << differences << text;
}

// The file must be known before the first test starts.
[[maybe_unused]] const bool has_file = (RecordedResults::compare_with(CUBIND_RECORDED_RESULTS), true);

}  // namespace

bool LaunchComparison::is_used() {
    return uses_gpu() || RecordedResults::is_used();
}

LaunchComparison::LaunchComparison(TestLaunch launch, std::vector<Contents> before)
    : launch_(std::move(launch)), before_(std::move(before)) {}

// Addresses differ from run to run, so that their numbers replace them.
void LaunchComparison::add_inputs() const {
    std::ostringstream numbers;
    for (const unsigned number :
         {launch_.grid.x, launch_.grid.y, launch_.grid.z, launch_.block.x, launch_.block.y, launch_.block.z})
        numbers << number << ' ';
    numbers << launch_.dynamic_shared_bytes << launch_.is_cooperative;
    if (!(launch_.cluster == sim::Extent3{})) {
        numbers << " cluster " << launch_.cluster.x << ' ' << launch_.cluster.y << ' ' << launch_.cluster.z;
    }
    for (const std::uint64_t argument : launch_.arguments) {
        const auto holder = std::find_if(before_.begin(), before_.end(), [&](const Contents& each) {
            return argument >= each.address && argument - each.address <= each.bytes.size();
        });
        if (holder == before_.end()) {
            numbers << ' ' << argument;
        } else {
            numbers << " allocation " << holder - before_.begin() << '+' << argument - holder->address;
        }
    }
    RecordedResults::add_input(launch_.text + launch_.kernel + numbers.str());
    for (const Contents& each : before_) RecordedResults::add_input(each.bytes);
}

void LaunchComparison::finish(const std::vector<Contents>& after, const std::set<std::string>& executed) {
    const bool is_included = RecordedResults::begin_launch();
    add_inputs();
    std::vector<Contents> results = after;
    if (uses_gpu()) {
        std::optional<std::vector<Contents>> of_gpu = launch_on_gpu(launch_, before_);
        if (!of_gpu) return RecordedResults::exclude_launch();
        for (std::size_t i = 0; i < after.size(); ++i) expect_equal(after[i], (*of_gpu)[i], i, launch_.text);
        results = std::move(*of_gpu);
    }
    if (!is_included) return;
    for (const Contents& each : results) RecordedResults::add_result(each.bytes);
    for (const std::string& each : executed) RecordedResults::add_instruction(each);
}

}  // namespace cubind::testing

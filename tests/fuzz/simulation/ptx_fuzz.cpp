// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses arbitrary text with the PTX reader of the simulated driver, checks it, links it with itself, and runs the kernels in it.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "launch_shape.hpp"
#include "ptx/check/check.hpp"
#include "ptx/decode/executable.hpp"
#include "ptx/link/link.hpp"
#include "ptx/run/grid.hpp"
#include "ptx/text/reader.hpp"
#include "ptx/text/target.hpp"

namespace {

namespace ptx = cubind::sim::ptx;

void require(bool condition) {
    if (!condition) std::abort();
}

// Checks the invariants that the rest of the driver relies on.
void check(const ptx::ModuleInterface& image) {
    for (const ptx::Kernel& kernel : image.kernels) {
        std::size_t end = 0;
        for (const auto& parameter : kernel.parameters) {
            require(parameter.offset >= end);
            end = parameter.offset + parameter.size;
        }
        require(end <= kernel.parameter_bytes);
    }
    for (const ptx::Variable& variable : image.variables) {
        require(variable.initial.size() <= variable.size);
        for (const ptx::Relocation& relocation : variable.relocations) {
            require(relocation.offset + sizeof(void*) <= variable.initial.size());
        }
    }
}

/// Memory of kernels: one allocation, and what kernels allocate.
class Memory : public ptx::GlobalMemory {
public:
    explicit Memory(std::size_t bytes) { base = allocate(bytes); }

    bool find(std::uint64_t address, ptx::MemoryRange& range) const override {
        const std::lock_guard lock(mutex_);
        auto after = all_.upper_bound(address);
        if (after == all_.begin()) return false;
        --after;
        range = {.begin = after->first, .size = after->second->size(), .owner = after->second};
        return range.contains(address, 1);
    }
    std::string describe(std::uint64_t) const override { return {}; }
    std::uint64_t allocate(std::size_t bytes) override {
        auto memory = std::make_shared<std::vector<std::byte>>(bytes);
        const auto address = reinterpret_cast<std::uint64_t>(memory->data());
        const std::lock_guard lock(mutex_);
        all_.emplace(address, std::move(memory));
        return address;
    }
    bool free(std::uint64_t address) override {
        const std::lock_guard lock(mutex_);
        return all_.erase(address) != 0;
    }

    std::uint64_t base = 0;

private:
    mutable std::mutex mutex_;
    std::map<std::uint64_t, std::shared_ptr<std::vector<std::byte>>> all_;
};

// Runs each kernel in one shape. Parameters are addresses of valid memory.
void run(const ptx::ModuleInterface& image, const cubind::fuzz::LaunchShape& shape) {
    constexpr std::size_t bytes = 4096;
    Memory memory(bytes);
    cubind::fuzz::LaunchHost host;
    const auto is_function = [&](std::string_view name) {
        return std::ranges::find(image.code->functions, name, &ptx::Function::name) != image.code->functions.end();
    };
    ptx::Executable executable(image.code, image.version, image.target, [&](std::string_view name) {
        return is_function(name) ? std::nullopt : std::optional<std::uint64_t>(memory.base);
    });
    for (const ptx::Kernel& kernel : image.kernels) {
        ptx::KernelCode* const code = executable.find_kernel(kernel.name);
        constexpr std::size_t max_shared_bytes = 1 << 20;
        if (code == nullptr || code->kernel().shared_bytes > max_shared_bytes) continue;
        std::vector<std::byte> parameters(kernel.parameter_bytes);
        for (std::size_t at = 0; at + sizeof memory.base <= parameters.size(); at += sizeof memory.base) {
            std::memcpy(parameters.data() + at, &memory.base, sizeof memory.base);
        }
        ptx::GridRequest request;
        request.code = code;
        request.kernel = &code->kernel();
        request.grid = shape.grid;
        request.block = shape.block;
        request.cluster = shape.cluster;
        request.is_explicit_cluster = shape.is_explicit_cluster;
        request.is_cooperative = shape.is_cooperative;
        request.workers = shape.workers;
        request.seed = shape.seed;
        if (image.code->has_device_runtime) request.host = &host;
        request.parameters = parameters;
        request.memory = &memory;
        request.heap_bytes = 1 << 16;
        using Clock = std::chrono::steady_clock;
        request.find_interruption = [end = Clock::now() + std::chrono::milliseconds(40)] {
            return Clock::now() > end ? std::string("an input of the fuzzer has a limit") : std::string();
        };
        const ptx::GridResult result = ptx::run_grid(request);
        require(result.problem.empty() == (result.status == cubind::driver::CUDA_SUCCESS));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    ptx::looks_like_ptx(text);
    constexpr int newest = 9040;
    const ptx::ReadResult reading = ptx::read(text, newest);
    require(reading.problem.empty() == (reading.status == cubind::driver::CUDA_SUCCESS));
    check(reading.image);
    ptx::find_target_problem(reading.image, 90);
    if (reading.status == cubind::driver::CUDA_SUCCESS) {
        ptx::find_mistake(reading.image, ptx::Externals::may_be_missing);
        const ptx::LinkInput input{"input", std::make_shared<const ptx::ModuleInterface>(reading.image)};
        const ptx::LinkResult linked = ptx::link({input, input});
        require(linked.text.empty() != linked.problem.empty());
        run(reading.image, cubind::fuzz::LaunchShape(text));
    }
    return 0;
}

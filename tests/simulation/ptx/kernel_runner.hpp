// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/constants.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "launch_comparison.hpp"
#include "ptx/decode/executable.hpp"
#include "ptx/run/grid.hpp"
#include "ptx/text/reader.hpp"

/// Runs PTX without a driver, for tests of the executor.
namespace cubind::testing {

/// Memory of kernels in tests.
class TestMemory : public sim::ptx::GlobalMemory {
public:
    std::uint64_t allocate(std::size_t bytes) override {
        constexpr std::align_val_t alignment{256};  // the alignment of a device
        constexpr std::size_t gap = 4096;           // between allocations, so that wrong addresses do not hit the next one
        auto* const begin = static_cast<std::byte*>(::operator new(bytes + 2 * gap, alignment));
        std::memset(begin, 0, bytes + 2 * gap);
        const auto address = reinterpret_cast<std::uint64_t>(begin) + gap;
        all_[address] = {++allocations_, bytes, false, false,
                         std::shared_ptr<void>(begin, [](void* memory) { ::operator delete(memory, alignment); })};
        return address;
    }
    bool free(std::uint64_t address) override { return all_.erase(address) != 0; }
    bool find(std::uint64_t address, sim::ptx::MemoryRange& range) const override {
        auto after = all_.upper_bound(address);
        if (after == all_.begin()) return false;
        --after;
        range = {after->first, after->second.bytes, after->second.is_read_only, after->second.is_constant, after->second.memory};
        return range.contains(address, 1);
    }
    std::string describe(std::uint64_t) const override { return " is not within an allocation; nearest"; }
    void make_read_only(std::uint64_t address) { all_.at(address).is_read_only = true; }
    void make_constant(std::uint64_t address) { all_.at(address).is_constant = true; }

    template <class Value>
    std::uint64_t add(const std::vector<Value>& values) {
        const std::uint64_t address = allocate(values.size() * sizeof(Value));
        if (!values.empty()) std::memcpy(reinterpret_cast<void*>(address), values.data(), values.size() * sizeof(Value));
        return address;
    }
    template <class Value>
    std::vector<Value> read(std::uint64_t address, std::size_t count) const {
        std::vector<Value> values(count);
        if (count != 0) std::memcpy(values.data(), reinterpret_cast<const void*>(address), count * sizeof(Value));
        return values;
    }

    /// Returns all memory in the order of the allocations.
    std::vector<Contents> contents() const {
        std::map<std::size_t, Contents> ordered;
        for (const auto& [address, allocation] : all_) {
            ordered[allocation.number] = {address, {}, read<std::byte>(address, allocation.bytes)};
        }
        std::vector<Contents> contents;
        for (auto& [number, each] : ordered) contents.push_back(std::move(each));
        return contents;
    }

private:
    struct Allocation {
        std::size_t number = 0;
        std::size_t bytes = 0;
        bool is_read_only = false;
        bool is_constant = false;
        std::shared_ptr<void> memory;
    };
    std::map<std::uint64_t, Allocation> all_;
    std::size_t allocations_ = 0;
};

/// A module of PTX, and memory for its kernels.
class KernelRunner {
public:
    explicit KernelRunner(const std::string& text) : text_(text) {
        sim::ptx::ReadResult reading = sim::ptx::read(text, 99990);
        EXPECT_EQ(reading.status, driver::CUDA_SUCCESS) << reading.problem;
        image_ = std::move(reading.image);
        for (const sim::ptx::Variable& variable : image_.variables) {
            const std::uint64_t address = memory.allocate(variable.size);
            if (!variable.initial.empty()) {
                std::memcpy(reinterpret_cast<void*>(address), variable.initial.data(), variable.initial.size());
            }
            variables_[variable.name] = address;
            if (variable.space == sim::ptx::Space::constant) memory.make_constant(address);
        }
        executable_ = std::make_unique<sim::ptx::Executable>(
            image_.code, image_.version, image_.target, [this](std::string_view name) -> std::optional<std::uint64_t> {
                const auto found = variables_.find(name);
                return found != variables_.end() ? std::optional(found->second) : std::nullopt;
            });
    }

    /// Runs a kernel whose parameters have 8 bytes each. Compares a launch that succeeds with the results of a GPU.
    sim::ptx::GridResult run(std::string_view kernel, sim::Extent3 grid, sim::Extent3 block, std::vector<std::uint64_t> arguments,
                             std::size_t dynamic_shared_bytes = 0) {
        sim::ptx::KernelCode* const code = executable_->find_kernel(kernel);
        if (code == nullptr) return {driver::CUDA_ERROR_NOT_FOUND, "no such kernel"};
        sim::ptx::GridRequest request = prototype;
        request.code = code;
        request.kernel = &code->kernel();
        request.grid = grid;
        request.block = block;
        request.dynamic_shared_bytes = dynamic_shared_bytes;
        request.parameters = std::as_bytes(std::span(arguments));
        request.memory = &memory;
        if (!LaunchComparison::is_used()) return sim::ptx::run_grid(request);
        LaunchComparison comparison(
            {text_, std::string(kernel), grid, block, arguments, dynamic_shared_bytes, request.is_cooperative, request.cluster},
            contents());
        const sim::ptx::Executions before = executions(*code);
        sim::ptx::GridResult result = sim::ptx::run_grid(request);
        if (result.status != driver::CUDA_SUCCESS || !is_compared || request.textures != nullptr) return result;
        std::set<std::string> executed;
        for (const auto& [instruction, count] : executions(*code)) {
            const auto earlier = before.find(instruction);
            if (earlier == before.end() || earlier->second != count) executed.insert(instruction);
        }
        comparison.finish(contents(), executed);
        return result;
    }

    TestMemory memory;
    sim::ptx::GridRequest prototype;  ///< other properties of launches
    bool is_compared = true;          ///< false if the results differ from run to run

private:
    static sim::ptx::Executions executions(const sim::ptx::KernelCode& code) {
        return code.counts() != nullptr ? code.counts()->read() : sim::ptx::Executions{};
    }

    std::vector<Contents> contents() const {
        std::vector<Contents> all = memory.contents();
        for (Contents& each : all) {
            for (const auto& [name, address] : variables_) {
                if (address == each.address) each.variable = name;
            }
        }
        return all;
    }

    std::string text_;
    sim::ptx::ModuleInterface image_;
    std::map<std::string, std::uint64_t, std::less<>> variables_;
    std::unique_ptr<sim::ptx::Executable> executable_;
};

}  // namespace cubind::testing

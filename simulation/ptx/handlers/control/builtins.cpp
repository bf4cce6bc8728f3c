// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/handlers/control/builtins.hpp"

#include <cubind/driver/constants.hpp>

#include <algorithm>
#include <cstdio>

#include "ptx/handlers/common.hpp"
#include "ptx/handlers/control/device_runtime.hpp"
#include "shared/escaped.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

void write_whole(std::FILE* file, const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), file);
}

// int vprintf(const char* format, void* arguments)
const Instruction* print(Warp& warp, const Instruction*) {
    return for_each_thread(warp, 16, 4, [](const BuiltinCall& call) {
        const auto format = call.parameter<std::uint64_t>(0);
        if (format == 0) return call.set_result(std::int32_t{-1});
        int count = 0;
        write_whole(stdout, format_text(call, format, call.parameter<std::uint64_t>(8), count));
        call.set_result(std::int32_t{count});
    });
}

// void* malloc(size_t bytes)
const Instruction* allocate(Warp& warp, const Instruction*) {
    DeviceHeap& heap = warp.block.grid->heap();
    return for_each_thread(warp, 8, 8,
                           [&](const BuiltinCall& call) { call.set_result(heap.allocate(call.parameter<std::uint64_t>(0))); });
}

// void free(void* address)
const Instruction* release(Warp& warp, const Instruction*) {
    DeviceHeap& heap = warp.block.grid->heap();
    return for_each_thread(warp, 8, 0, [&](const BuiltinCall& call) {
        const auto address = call.parameter<std::uint64_t>(0);
        if (address == 0 || heap.free(address)) return;
        char text[80];
        std::snprintf(text, sizeof text, "free of 0x%llx, which malloc did not return", static_cast<unsigned long long>(address));
        call.fail(driver::CUDA_ERROR_LAUNCH_FAILED, text);
    });
}

std::string triple(const Index3& index) {
    return '[' + std::to_string(index.x) + ',' + std::to_string(index.y) + ',' + std::to_string(index.z) + ']';
}

// void __assertfail(const char* assertion, const char* file, unsigned line, const char* function, size_t bytes_of_char)
const Instruction* fail_assertion(Warp& warp, const Instruction*) {
    require_declaration(warp, 40, 0);
    std::string text;
    std::string assertion;
    for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const BuiltinCall call(warp, static_cast<unsigned>(std::countr_zero(rest)));
        const auto read = [&](unsigned parameter) { return escaped(call.read_text(call.parameter<std::uint64_t>(parameter))); };
        assertion = read(0);
        text += read(8) + ':' + std::to_string(call.parameter<std::uint32_t>(16)) + ": " + read(24) +
                ": block: " + triple(warp.block.index) +
                ", thread: " + triple(warp.block.thread_index(warp.index * warp_size + call.lane)) + " Assertion `" + assertion +
                "` failed.\n";
    }
    write_whole(stderr, text);
    throw Fault{driver::CUDA_ERROR_ASSERT, "assertion `" + assertion + "` failed", -1};
}

// void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value)
const Instruction* set_conditional(Warp& warp, const Instruction*) {
    return for_each_thread(warp, 12, 0, [&](const BuiltinCall& call) {
        const auto set = warp.block.grid->request.set_condition;
        if (set == nullptr) call.fail(driver::CUDA_ERROR_NOT_SUPPORTED, "cudaGraphSetConditional needs a launch by the driver");
        const auto handle = call.parameter<std::uint64_t>(0);
        if (set(handle, call.parameter<std::uint32_t>(8))) return;
        call.fail(driver::CUDA_ERROR_LAUNCH_FAILED, "cudaGraphSetConditional: " + std::to_string(handle) + " is no condition");
    });
}

constexpr Builtin builtins[] = {
    {"vprintf", print},
    {"malloc", allocate},
    {"free", release},
    {"__assertfail", fail_assertion},
    {"cudaGraphSetConditional", set_conditional},
};

constexpr std::size_t max_text = 1 << 20;

}  // namespace

const Builtin* find_builtin(std::string_view name, bool has_device_runtime) noexcept {
    const auto find = [&](std::span<const Builtin> all) {
        const auto found = std::ranges::find(all, name, &Builtin::name);
        return found != all.end() ? &*found : nullptr;
    };
    const Builtin* found = find(builtins);
    if (found == nullptr && has_device_runtime) found = find(device_runtime_builtins());
    if (found == nullptr && has_device_runtime) found = find(grid_group_builtins());
    return found;
}

void require_declaration(const Warp& warp, std::size_t parameters, std::size_t result) {
    const Program& program = *warp.call().program;
    if (program.parameter_begin >= result && program.local_bytes - program.parameter_begin >= parameters) return;
    throw Fault{driver::CUDA_ERROR_NOT_SUPPORTED,
                "function " + program.name + " is declared with other parameters than the simulation expects", -1};
}

BuiltinCall::Bytes BuiltinCall::find(std::uint64_t address, std::size_t bytes, bool is_write) const {
    Block& block = warp.block;
    const std::uint64_t offset = address & window_mask;
    Bytes found{nullptr, 0};
    switch (window_of(address)) {
        case Window::shared:
            found = {block.shared_memory(), block.shared_size()};
            break;
        case Window::local:
            found = {warp.local_memory(lane), warp.local_size()};
            break;
        case Window::parameter:
            if (!is_write) found = {block.grid->request.parameters.data(), block.grid->request.parameters.size()};
            break;
        default:
            if (const MemoryRange* const range = block.memory.find(address, bytes); range && !(is_write && range->is_read_only)) {
                return {reinterpret_cast<const std::byte*>(address),
                        static_cast<std::size_t>(range->begin + range->size - address)};
            }
    }
    if (offset > found.size || found.size - offset < bytes) {
        char text[120];
        std::snprintf(text, sizeof text, "an argument of %s at address 0x%llx is not in memory of the thread",
                      warp.call().program->name.substr(0, 40).c_str(), static_cast<unsigned long long>(address));
        fail(driver::CUDA_ERROR_ILLEGAL_ADDRESS, text);
    }
    return {found.begin + offset, static_cast<std::size_t>(found.size - offset)};
}

std::string BuiltinCall::read_text(std::uint64_t address) const {
    if (address == 0) return "(null)";
    const Bytes bytes = find(address, 1);
    const std::size_t size = bytes.size < max_text ? bytes.size : max_text;
    const auto* const text = reinterpret_cast<const char*>(bytes.begin);
    const void* const end = std::memchr(text, 0, size);
    if (end == nullptr) fail(driver::CUDA_ERROR_ILLEGAL_ADDRESS, "a text has no end within its memory");
    return {text, static_cast<const char*>(end)};
}

}  // namespace CUBIND_NAMESPACE::sim::ptx

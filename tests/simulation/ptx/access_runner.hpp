// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "kernel_runner.hpp"

/// Runs one load, store or atomic operation in a warp whose addresses, registers and active threads are data.
namespace cubind::testing {

constexpr std::size_t window_bytes = 1024;  ///< the memory that all threads access; in local memory, each has its own
constexpr unsigned threads_of_warp = 32;
constexpr unsigned registers_of_thread = 16;  ///< words of 64 bits

/// Where the memory of an access is, and how the text names it.
struct Place {
    std::string space;   ///< modifier of the instruction; empty for generic addresses
    std::string memory;  ///< global, shared or local
    int pointer_bits;    ///< size of the address register
};

inline const std::vector<Place>& places() {
    static const std::vector<Place> all = {
        {".global", "global", 64}, {"", "global", 64},      {".shared", "shared", 32}, {".shared::cta", "shared", 64},
        {"", "shared", 64},        {".local", "local", 32}, {".local", "local", 64},   {"", "local", 64},
    };
    return all;
}

/// The state of a warp and its memory before the instruction.
struct AccessInput {
    std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(window_bytes);
    std::vector<std::uint64_t> offsets = std::vector<std::uint64_t>(threads_of_warp);
    std::vector<std::uint64_t> registers = std::vector<std::uint64_t>(threads_of_warp * registers_of_thread);
    std::uint32_t mask = ~std::uint32_t{0};  ///< threads that run the instruction
};

struct AccessOutput {
    sim::ptx::GridResult result;
    std::vector<std::uint64_t> registers;  ///< all registers, of one thread after the other
    std::vector<std::uint8_t> memory;      ///< the shared window; for local memory, the windows of all threads
};

/// A kernel that runs an instruction. "$A" in its text is the address. Registers of 16, 32, 64 or 128 bits, %v0 to %v15 (to %v7
/// for 128 bits), begin with the words of the input.
class AccessRunner {
public:
    AccessRunner(const Place& place, int register_bits, const std::string& instruction, bool is_guarded = false)
        : place_(place), is_load_(instruction.starts_with("ld")), runner_(text(place, register_bits, instruction, is_guarded)) {
        // ptxas 13.0 crashes for some of the former, and refuses the latter.
        is_accepted_ = instruction.find(".v8") == std::string::npos && instruction.find(".volatile.local") == std::string::npos;
    }

    AccessOutput run(const AccessInput& input) {
        TestMemory& memory = runner_.memory;
        std::vector<std::uint32_t> active(threads_of_warp);
        for (unsigned i = 0; i < threads_of_warp; ++i) active[i] = input.mask >> i & 1;
        const std::size_t copies = place_.memory == "local" ? threads_of_warp : 1;
        const std::uint64_t buffer = memory.add(input.memory);
        const std::uint64_t copy = memory.allocate(window_bytes * copies);
        const std::uint64_t registers = memory.add(input.registers);
        const std::uint64_t offsets = memory.add(input.offsets);
        const std::uint64_t mask = memory.add(active);
        runner_.is_compared = is_accepted_ && (is_load_ || place_.memory == "local" || !has_conflict(input));
        AccessOutput output;
        output.result = runner_.run("test", {1, 1, 1}, {threads_of_warp, 1, 1}, {buffer, copy, offsets, registers, mask});
        output.registers = memory.read<std::uint64_t>(registers, input.registers.size());
        output.memory = memory.read<std::uint8_t>(place_.memory == "global" ? buffer : copy, window_bytes * copies);
        for (const std::uint64_t each : {buffer, copy, registers, offsets, mask}) memory.free(each);
        return output;
    }

    TestMemory& memory() { return runner_.memory; }

private:
    // The order of threads that access the same memory is not specified.
    static bool has_conflict(const AccessInput& input) {
        std::set<std::uint64_t> offsets;
        for (unsigned lane = 0; lane < threads_of_warp; ++lane) {
            if ((input.mask >> lane & 1) != 0 && !offsets.insert(input.offsets[lane]).second) return true;
        }
        return false;
    }

    // Each thread copies a part of shared memory, or its whole local memory.
    static std::string copy_window(const Place& place, bool is_fill) {
        if (place.memory == "global") return {};
        const bool is_shared = place.memory == "shared";
        const std::size_t own = is_shared ? window_bytes / threads_of_warp : window_bytes;
        std::string text = "mov.u64 %window, window;\nmul.wide.u32 %wide, %thread, " + std::to_string(own) + ";\n";
        if (is_shared) text += "add.s64 %window, %window, %wide;\n";
        text += is_fill ? "ld.param.u64 %global, [buffer];\n" : "ld.param.u64 %global, [copy];\n";
        if (is_shared || !is_fill) text += "add.s64 %global, %global, %wide;\n";
        for (std::size_t i = 0; i < own; i += 8) {
            const std::string at = "+" + std::to_string(i) + "]";
            const std::string window = "." + place.memory + ".b64 [%window" + at;
            text += is_fill
                        ? "ld.global.b64 %word, [%global" + at + ";\nst" + window + ", %word;\n"
                        : "ld." + place.memory + ".b64 %word, [%window" + at + ";\nst.global.b64 [%global" + at + ", %word;\n";
        }
        return text + "bar.sync 0;\n";
    }

    static std::string move_registers(int bits, bool is_load) {
        std::string text =
            "ld.param.u64 %global, [registers];\nmul.wide.u32 %wide, %thread, 128;\nadd.s64 %global, %global, %wide;\n";
        const int step = bits == 128 ? 16 : 8;
        for (int i = 0; i < 128 / step; ++i) {
            const std::string at = "[%global+" + std::to_string(step * i) + "]";
            const std::string name = "%v" + std::to_string(i);
            const std::string type = "global.b" + std::to_string(bits) + " ";
            text += is_load ? "ld." + type + name + ", " + at + ";\n" : "st." + type + at + ", " + name + ";\n";
        }
        return text;
    }

    static std::string text(const Place& place, int register_bits, std::string instruction, bool is_guarded) {
        // PTX 9.1 is the first with volatile accesses to local memory.
        const bool is_newer = instruction.find(".volatile.local") != std::string::npos;
        std::string text = is_newer ? ".version 9.1" : ".version 8.8";
        text +=
            "\n.target sm_100\n.address_size 64\n.visible .entry test(.param .u64 buffer, .param .u64 copy, "
            ".param .u64 offsets, .param .u64 registers, .param .u64 mask) {\n.reg .pred %p;\n.reg .b32 %thread, %pointer32, "
            "%t;\n"
            ".reg .b64 %pointer, %global, %window, %wide, %word, %policy;\n.reg .b" +
            std::to_string(register_bits) + " %v<16>;\n";
        if (place.memory != "global")
            text += "." + place.memory + " .align 128 .b8 window[" + std::to_string(window_bytes) + "];\n";
        text +=
            "mov.u32 %thread, %tid.x;\nmov.b64 %policy, 0;\n" + copy_window(place, true) + move_registers(register_bits, true);
        text += "ld.param.u64 %global, [offsets];\nmul.wide.u32 %wide, %thread, 8;\nadd.s64 %global, %global, %wide;\n";
        std::string address = "[%pointer+-16]";
        if (place.pointer_bits == 32) {
            text +=
                "ld.global.b32 %t, [%global];\nmov.u32 %pointer32, window;\nadd.s32 %pointer32, %pointer32, %t;\n"
                "add.s32 %pointer32, %pointer32, -48;\n";
            address = "[%pointer32+48]";
        } else {
            text += "ld.global.b64 %word, [%global];\n";
            text += place.memory == "global" ? "ld.param.u64 %pointer, [buffer];\n" : "mov.u64 %pointer, window;\n";
            if (place.memory != "global" && place.space.empty()) text += "cvta." + place.memory + ".u64 %pointer, %pointer;\n";
            text += "add.s64 %pointer, %pointer, %word;\nadd.s64 %pointer, %pointer, 16;\n";
        }
        text +=
            "ld.param.u64 %global, [mask];\nmul.wide.u32 %wide, %thread, 4;\nadd.s64 %global, %global, %wide;\n"
            "ld.global.b32 %t, [%global];\nsetp.ne.s32 %p, %t, 0;\n";
        for (std::size_t at = instruction.find("$A"); at != std::string::npos; at = instruction.find("$A"))
            instruction.replace(at, 2, address);
        text += is_guarded ? "@%p " + instruction + "\n" : "@!%p bra DONE;\n" + instruction + "\nDONE:\n";
        return text + move_registers(register_bits, false) + copy_window(place, false) + "ret;\n}\n";
    }

    Place place_;
    bool is_load_;
    bool is_accepted_ = true;
    KernelRunner runner_;
};

}  // namespace cubind::testing

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "ptx/run/block.hpp"

/// Functions that device code calls by name and that its module only declares.
namespace CUBIND_NAMESPACE::sim::ptx {

/// A call of such a function by one thread.
class BuiltinCall {
public:
    BuiltinCall(Warp& own_warp, unsigned own_lane) : warp(own_warp), lane(own_lane) {}

    /// Returns the parameter at this offset. The caller has checked with require() that it exists.
    template <class Value>
    Value parameter(std::size_t offset) const {
        Value value;
        std::memcpy(&value, frame() + warp.call().program->parameter_begin + offset, sizeof value);
        return value;
    }
    template <class Value>
    void set_result(Value value) const {
        std::memcpy(frame(), &value, sizeof value);
    }
    /// Reads a value at a generic address. Throws a Fault if the thread may not access it.
    template <class Value>
    Value read(std::uint64_t address) const {
        Value value;
        std::memcpy(&value, find(address, sizeof value).begin, sizeof value);
        return value;
    }
    /// Writes a value at a generic address. Throws a Fault if the thread may not access it.
    template <class Value>
    void write(std::uint64_t address, Value value) const {
        std::memcpy(const_cast<std::byte*>(find(address, sizeof value, true).begin), &value, sizeof value);
    }
    /// Reads a text up to its end, or "(null)".
    std::string read_text(std::uint64_t address) const;
    [[noreturn]] void fail(driver::CUresult status, std::string problem) const {
        throw Fault{status, std::move(problem), static_cast<int>(lane)};
    }

    Warp& warp;
    const unsigned lane;

private:
    struct Bytes {
        const std::byte* begin;
        std::size_t size;  ///< bytes up to the end of the memory
    };
    /// Finds at least this number of bytes.
    Bytes find(std::uint64_t address, std::size_t bytes, bool is_write = false) const;
    std::byte* frame() const { return warp.local_memory(lane) + warp.call().local; }
};

/// A function that the simulation provides.
struct Builtin {
    std::string_view name;
    Handler handler;                     ///< of its first instruction
    std::span<const Handler> rest = {};  ///< of the following instructions
};

/// Throws a Fault unless the declaration of the function has at least these bytes of parameters and of results.
void require_declaration(const Warp& warp, std::size_t parameters, std::size_t result);

/// Calls a function for each active thread and returns from the call.
template <class Call = BuiltinCall, class Function>
const Instruction* for_each_thread(Warp& warp, std::size_t parameters, std::size_t result, Function function) {
    require_declaration(warp, parameters, result);
    for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        function(Call(warp, static_cast<unsigned>(std::countr_zero(rest))));
    }
    return warp.end_call();
}

/// Formats the arguments at a generic address as printf() of C does. Adds the number of arguments to `count`.
std::string format_text(const BuiltinCall& call, std::uint64_t format, std::uint64_t arguments, int& count);

}  // namespace CUBIND_NAMESPACE::sim::ptx

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <string>

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
    Bytes find(std::uint64_t address, std::size_t bytes) const;
    std::byte* frame() const { return warp.local_memory(lane) + warp.call().local; }
};

/// Formats the arguments at a generic address as printf() of C does. Adds the number of arguments to `count`.
std::string format_text(const BuiltinCall& call, std::uint64_t format, std::uint64_t arguments, int& count);

}  // namespace CUBIND_NAMESPACE::sim::ptx

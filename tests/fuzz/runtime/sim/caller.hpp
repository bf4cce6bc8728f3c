// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "arguments.hpp"
#include "descriptors.hpp"

namespace cubind::fuzz {

/// Calls functions of the simulated driver with random arguments, and keeps what they give for calls to come. One per thread.
class Caller {
public:
    Caller(Choices& choices, Pools& pools) : choices_(choices), pools_(pools) {}

    /// Calls `function`, which is at `address`.
    driver::CUresult call(const Function& function, void* address);
    /// Number of calls that have returned, of all callers.
    static std::uint64_t finished() { return finished_.load(std::memory_order_relaxed); }

private:
    std::uint64_t length_of(std::span<const Parameter> parameters, const Parameter& parameter) const;
    const void* pointer(Arguments& arguments, std::span<const Parameter> parameters, const Parameter& parameter);
    const void* option_values(Arguments& arguments, std::span<const Parameter> parameters, const Parameter& parameter);
    const void* image(Arguments& arguments, std::span<const Parameter> parameters, const Parameter& parameter);
    void keep(const std::byte* value, const Type& type);
    void keep_results(std::span<const Parameter> parameters);

    inline static std::atomic<std::uint64_t> finished_{0};

    Choices& choices_;
    Pools& pools_;
    Descriptors descriptors_;
    std::vector<std::byte*> slots_;    ///< where the call's arguments lie, in order
    std::vector<std::uint64_t> counts_;  ///< of the objects that each points to
};

}  // namespace cubind::fuzz

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "arguments.hpp"
#include "descriptors.hpp"

namespace cubind::fuzz {

/// Calls functions of the simulated driver with random arguments and stores their results for later calls. Each thread uses a
/// separate Caller.
class Caller {
public:
    Caller(Choices& choices, Pools& pools) : choices_(choices), pools_(pools) {}

    /// Calls `function` at `address`.
    driver::CUresult call(const Function& function, void* address);
    /// Returns the number of calls of all callers that have returned.
    static std::uint64_t finished() { return finished_.load(std::memory_order_relaxed); }

private:
    std::uint64_t length_of(std::span<const Parameter> parameters, const Parameter& parameter) const;
    const void* pointer(Arguments& arguments, std::span<const Parameter> parameters, const Parameter& parameter);
    const void* option_values(Arguments& arguments, std::span<const Parameter> parameters, const Parameter& parameter);
    const void* image(Arguments& arguments, std::span<const Parameter> parameters, const Parameter& parameter);
    void store(const std::byte* value, const Type& type);
    void store_results(std::span<const Parameter> parameters);

    inline static std::atomic<std::uint64_t> finished_{0};

    Choices& choices_;
    Pools& pools_;
    Descriptors descriptors_;
    std::vector<std::byte*> slots_;      ///< the arguments of the call, in order
    std::vector<std::uint64_t> counts_;  ///< numbers of objects that the arguments point to
};

}  // namespace cubind::fuzz

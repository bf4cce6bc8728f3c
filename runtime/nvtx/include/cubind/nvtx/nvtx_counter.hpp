// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nvtx/nvtx_domain.hpp>

#include <cstdint>
#include <type_traits>

/// @file
/// Numbers over time.
namespace CUBIND_NAMESPACE {

/// A number that changes over time, such as the bytes in use or the loss of a training, which tools draw as a curve (NVTX's
/// extension for counters). `Value` is std::int64_t or double. The tool notes when each sample is made. A counter is valid until
/// its domain is destroyed, and as cheap to copy as two pointers. Any thread may use it. Without a tool that has the extension,
/// each function returns at once.
///
///     const NvtxCounter queued = domain.counter("queued requests", {.unit = "requests"});
///     queued.sample(12);
///     domain.counter<double>("loss").sample(0.25);
template <class Value>
class CUBIND_EXPORT NvtxCounter {
    static_assert(std::is_same_v<Value, std::int64_t> || std::is_same_v<Value, double>,
                  "an NvtxCounter counts with std::int64_t or double");

public:
    /// Creates a counter of a domain (nvtxCounterRegister). Throws std::invalid_argument for a name that is nullptr, and for a
    /// minimum above the maximum.
    NvtxCounter(NvtxDomainRef domain, const char* name, const NvtxCounterOptions<Value>& options = {});

    /// Records a value (nvtxCounterSampleInt64, nvtxCounterSampleFloat64).
    void sample(Value value) const noexcept;
    /// Records that there is no value at this time (nvtxCounterSampleNoValue).
    void sample_unavailable() const noexcept;

    /// Returns the number that the tool chose, unique in the domain. It is 0 without a tool.
    [[nodiscard]] std::uint64_t id() const noexcept { return id_; }

private:
    NvtxDomainRef domain_;
    std::uint64_t id_ = 0;
};

extern template class NvtxCounter<std::int64_t>;
extern template class NvtxCounter<double>;

template <class Value>
NvtxCounter<Value> NvtxDomainRef::counter(const char* name, const NvtxCounterOptions<Value>& options) const {
    return NvtxCounter<Value>(*this, name, options);
}

}  // namespace CUBIND_NAMESPACE

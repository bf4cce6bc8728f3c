// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nvtx/nvtx_domain.hpp>

#include <cstdint>

/// @file
/// Ranges for profilers.
namespace CUBIND_NAMESPACE {

/// Shows the lifetime of the object as a range on the calling thread. Ranges of a thread and a domain are nested, so the object
/// must be destroyed on the thread that created it, in reverse order of creation. See NvtxDomain for an example.
class [[nodiscard]] CUBIND_EXPORT NvtxRange {
public:
    /// Begins a range in the common domain (nvtxDomainRangePushEx).
    explicit NvtxRange(NvtxMessage message, const NvtxAttributes& attributes = {}) noexcept
        : NvtxRange(NvtxDomainRef(), message, attributes) {}
    /// Begins a range in a domain (nvtxDomainRangePushEx).
    NvtxRange(NvtxDomainRef domain, NvtxMessage message, const NvtxAttributes& attributes = {}) noexcept;
    NvtxRange(const NvtxRange&) = delete;
    NvtxRange& operator=(const NvtxRange&) = delete;
    /// Ends the range (nvtxDomainRangePop).
    ~NvtxRange();

private:
    NvtxDomainRef domain_;
};

/// Shows the lifetime of the object as a range that does not belong to a thread, so that it may overlap others: for example a
/// request that several threads process. Move-only. Any thread may destroy it.
class [[nodiscard]] CUBIND_EXPORT NvtxProcessRange {
public:
    /// Creates an empty object.
    NvtxProcessRange() noexcept = default;
    /// Begins a range in the common domain (nvtxDomainRangeStartEx).
    explicit NvtxProcessRange(NvtxMessage message, const NvtxAttributes& attributes = {}) noexcept
        : NvtxProcessRange(NvtxDomainRef(), message, attributes) {}
    /// Begins a range in a domain (nvtxDomainRangeStartEx).
    NvtxProcessRange(NvtxDomainRef domain, NvtxMessage message, const NvtxAttributes& attributes = {}) noexcept;
    /// Moves the range; `other` is empty afterwards.
    NvtxProcessRange(NvtxProcessRange&& other) noexcept;
    /// Ends the range of this object, and moves the other one.
    NvtxProcessRange& operator=(NvtxProcessRange&& other) noexcept;
    NvtxProcessRange(const NvtxProcessRange&) = delete;
    NvtxProcessRange& operator=(const NvtxProcessRange&) = delete;
    /// Ends the range, if there is one (nvtxDomainRangeEnd).
    ~NvtxProcessRange() { end(); }

    /// Ends the range, if there is one. The object is empty afterwards.
    void end() noexcept;

private:
    NvtxDomainRef domain_;
    std::uint64_t id_ = 0;
    bool is_running_ = false;
};

}  // namespace CUBIND_NAMESPACE

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/core/stream/stream.hpp>

#include <optional>

#include "strided/copy_plan.hpp"
#include "strided/pinned_staging.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The memory of one side of a copy.
struct StridedSide {
    MemoryType type;
    std::optional<Device> device;  ///< of device memory

    bool is_pageable() const noexcept { return type == MemoryType::unregistered; }
};

/// A copy whose strides no call of the driver copies. A kernel copies memory that its device can access. Other copies consist of
/// steps, by way of packed elements in memory that both steps can access:
///
/// - A host function copies pageable memory, from and to pinned memory, or directly if the other side is host memory, too.
/// - A kernel on another device copies the memory of that device, in a stream that waits for the stream of the copy and for which
///   that stream waits. In a capture, the kernel becomes a node of the graph, and both devices exchange packed elements by way of
///   pinned memory, which no access between devices has to be enabled for.
class StagedCopy {
public:
    StagedCopy(StreamRef stream, const CopyPlan& plan, const StridedSide& to, const StridedSide& from)
        : stream_(stream), plan_(plan), to_(to), from_(from) {}

    /// Submits the copy. If this throws, steps may have been submitted, and have completed.
    void submit() const;

private:
    void submit_on_host() const;
    void submit_by_pinned_memory() const;
    void submit_between_devices() const;
    void submit_to_capture() const;
    void capture_step(const StridedSide& side, const CopyPlan& plan, const PinnedStaging& staging) const;
    bool has_one_device() const;
    bool uses_other_devices() const;
    bool is_other(const std::optional<Device>& device) const;

    StreamRef stream_;
    const CopyPlan& plan_;
    StridedSide to_;
    StridedSide from_;
};

}  // namespace CUBIND_NAMESPACE::detail

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "strided/staged_copy.hpp"

#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>

#include <cstdint>
#include <initializer_list>
#include <utility>

#include "memory/synchronous_memory.hpp"
#include "strided/captured_copy.hpp"
#include "strided/copy_kernel.hpp"
#include "strided/driver_copy.hpp"
#include "strided/host_copy.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

/// Submits a copy of memory that the stream's device can access.
void copy_on_device(StreamRef stream, const CopyPlan& plan) {
    if (has_driver_copy(plan)) return copy_by_driver(stream, plan);
    copy_by_kernel(stream, plan);
}

void copy_by_host_function(StreamRef stream, CopyPlan plan, const PinnedStaging& staging) {
    stream.launch_host_function([plan = std::move(plan), staging] { copy_on_host(plan); });
}

/// A stream of a device: the stream of a copy, or a new one that waits for it.
class DeviceStream {
public:
    DeviceStream(StreamRef stream, const std::optional<Device>& device) : of_copy_(stream), own_(), view_(stream) {
        if (!device || *device == stream.device()) return;
        own_ = Stream(*device);
        view_ = own_;
        view_.wait(of_copy_);
    }

    StreamRef view() const noexcept { return view_; }
    /// Makes the stream of the copy wait for the work so far.
    void join() const {
        if (!own_.is_closed()) of_copy_.wait(view_);
    }

private:
    StreamRef of_copy_;
    Stream own_;
    StreamRef view_;
};

/// Waits for the work that was submitted before an exception, so that neither the exception nor its handler frees memory that the
/// work uses. Captured work does not run.
template <class Submit>
void submit_or_wait(std::initializer_list<StreamRef> streams, const Submit& submit) {
    try {
        submit();
    } catch (...) {
        for (const StreamRef each : streams) wait_before_free(each);
        throw;
    }
}

}  // namespace

bool StagedCopy::is_other(const std::optional<Device>& device) const {
    return device && *device != stream_.device();
}

bool StagedCopy::uses_other_devices() const {
    return is_other(to_.device) || is_other(from_.device);
}

// One device may copy all if the other side is memory of the same device, or pinned or managed memory.
bool StagedCopy::has_one_device() const {
    return !to_.device || !from_.device || *to_.device == *from_.device;
}

void StagedCopy::submit() const {
    if (uses_other_devices() && stream_.is_capturing()) return submit_to_capture();
    if (to_.is_pageable() || from_.is_pageable()) {
        const auto is_host = [](const StridedSide& side) { return side.is_pageable() || side.type == MemoryType::host; };
        return is_host(to_) && is_host(from_) ? submit_on_host() : submit_by_pinned_memory();
    }
    if (uses_other_devices()) return submit_between_devices();
    copy_by_kernel(stream_, plan_);
}

void StagedCopy::submit_to_capture() const {
    if (has_one_device() && !to_.is_pageable() && !from_.is_pageable()) {
        return capture_copy_by_kernel(stream_, to_.device ? *to_.device : *from_.device, plan_);
    }
    const PinnedStaging staging(stream_.context(), packed_size(plan_));
    if (Retainer* const retainer = StreamAccess::retainer(stream_)) retainer->retain(staging.share());
    capture_step(from_, packing_of(plan_, staging.address()), staging);
    capture_step(to_, unpacking_of(plan_, staging.address()), staging);
}

// Captures the copy between one side and pinned memory.
void StagedCopy::capture_step(const StridedSide& side, const CopyPlan& plan, const PinnedStaging& staging) const {
    if (side.is_pageable()) return copy_by_host_function(stream_, plan, staging);
    if (is_other(side.device)) return capture_copy_by_kernel(stream_, *side.device, plan);
    copy_on_device(stream_, plan);
}

void StagedCopy::submit_on_host() const {
    stream_.launch_host_function([plan = plan_] { copy_on_host(plan); });
}

void StagedCopy::submit_by_pinned_memory() const {
    const PinnedStaging staging(stream_.context(), packed_size(plan_));
    const CopyPlan packing = packing_of(plan_, staging.address()), unpacking = unpacking_of(plan_, staging.address());
    if (Retainer* const retainer = StreamAccess::retainer(stream_)) retainer->retain(staging.share());
    const DeviceStream on_device(stream_, to_.is_pageable() ? from_.device : to_.device);
    submit_or_wait({stream_, on_device.view()}, [&] {
        if (to_.is_pageable()) {
            copy_on_device(on_device.view(), packing);
            on_device.join();
            copy_by_host_function(stream_, unpacking, staging);
        } else {
            copy_by_host_function(on_device.view(), packing, staging);
            copy_on_device(on_device.view(), unpacking);
            on_device.join();
            // A graph retains the host function. Otherwise, another one retains the memory until the device has read it.
            if (!stream_.is_capturing()) stream_.launch_host_function([staging] {});
        }
    });
}

void StagedCopy::submit_between_devices() const {
    if (has_one_device()) {
        const DeviceStream on_device(stream_, to_.device ? to_.device : from_.device);
        return submit_or_wait({on_device.view()}, [&] {
            copy_by_kernel(on_device.view(), plan_);
            on_device.join();
        });
    }
    const DeviceStream source(stream_, from_.device), destination(stream_, to_.device);
    CopyPlan packing = packing_of(plan_, plan_.from), unpacking = unpacking_of(plan_, plan_.to);
    const bool is_packed = packing.axes.size() == 1, is_unpacked = unpacking.axes.size() == 1;
    const std::size_t size = packed_size(plan_);
    Buffer at_source, at_destination;  // freed in the order of their streams
    submit_or_wait({stream_, source.view(), destination.view()}, [&] {
        if (!is_packed) {
            at_source = from_.device->allocate(source.view(), size);
            packing.to = at_source.native_handle();
            copy_on_device(source.view(), packing);
        }
        if (!is_unpacked) {
            at_destination = to_.device->allocate(destination.view(), size);
            unpacking.from = at_destination.native_handle();
        }
        const CopyPlan between{.axes = {{static_cast<std::int64_t>(size), 1, 1}},
                               .to = is_unpacked ? plan_.to : unpacking.from,
                               .from = is_packed ? plan_.from : packing.to};
        destination.view().wait(source.view());
        copy_by_driver(destination.view(), between);
        if (!is_unpacked) copy_on_device(destination.view(), unpacking);
        source.view().wait(destination.view());  // before at_source is freed
        source.join();
        destination.join();
    });
}

}  // namespace CUBIND_NAMESPACE::detail

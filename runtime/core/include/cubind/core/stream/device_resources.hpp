// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/driver/types.hpp>

#include <vector>

namespace CUBIND_NAMESPACE {

struct SmSplit;

/// Options for a split into groups of equal size.
struct SmSplitOptions {
    /// SMs of each group. The driver rounds the count up to the minimum partition and to a multiple of the alignment. If that
    /// exceeds the SMs of the resource, one group has all of them.
    unsigned int count = 0;
    /// The number of groups. 0 selects as many as fit.
    unsigned int groups = 0;
    /// Whether SMs may be chosen one by one, which allows smaller groups in which large clusters may not run
    /// (CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING).
    bool ignore_coscheduling = false;
    /// Whether the driver attempts to create groups that can run clusters of the largest size, on devices of compute capability
    /// 9.0 and newer (CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE). Excludes ignore_coscheduling.
    bool max_potential_cluster_size = false;
};

/// One group of a structured split.
struct SmGroup {
    /// SMs of the group: a multiple of 2, and of coscheduled_count unless backfill is set. 0 selects all SMs that are left.
    unsigned int count = 0;
    /// SMs that are scheduled together, so that a cluster can use them. 0 selects the default of the device.
    unsigned int coscheduled_count = 0;
    /// A larger number of SMs that the driver attempts to schedule together. 0 selects coscheduled_count.
    unsigned int preferred_coscheduled_count = 0;
    /// Whether SMs that are not scheduled together may fill the group (CU_DEV_SM_RESOURCE_GROUP_BACKFILL).
    bool backfill = false;

    /// Compares all members.
    [[nodiscard]] friend bool operator==(const SmGroup&, const SmGroup&) = default;
};

/// A set of streaming multiprocessors (SMs) of one device: all SMs of the device, the SMs of a context, or a group of a split. It
/// is a value that reserves nothing; a GreenContext uses it. A default-constructed object is empty. Needs a driver of CUDA 12.4.
///
///     SmResource all = device.resources().sm();
///     SmSplit parts = all.split({.count = 16, .groups = 2});
///     GreenContext first(device, parts.groups[0]);
class CUBIND_EXPORT SmResource {
public:
    /// Creates an empty resource of device 0.
    SmResource();
    /// Creates a resource of the device from the native struct, which must be of the type CU_DEV_RESOURCE_TYPE_SM, or of the
    /// type CU_DEV_RESOURCE_TYPE_INVALID for an empty resource. Throws std::invalid_argument for another type.
    SmResource(Device device, const driver::CUdevResource& native);

    /// Returns the device of the SMs.
    [[nodiscard]] Device device() const noexcept { return device_; }
    /// Returns the number of SMs.
    [[nodiscard]] unsigned int count() const noexcept;
    /// Returns whether there are no SMs, as in the remainder of a split that uses all of them.
    [[nodiscard]] bool is_empty() const noexcept { return count() == 0; }
    /// Returns the smallest number of SMs that a group of a split can have, or 0 for a result of a split by a driver of
    /// CUDA 13.0.
    [[nodiscard]] unsigned int min_partition_size() const noexcept;
    /// Returns the number of SMs that are scheduled together. The size of a group is a multiple of it, unless the group has all
    /// SMs. Returns 0 for a result of a split by a driver of CUDA 13.0.
    [[nodiscard]] unsigned int coscheduled_alignment() const noexcept;
    /// Returns the CU_DEV_SM_RESOURCE_GROUP_ flags of a group of a structured split, else 0.
    [[nodiscard]] unsigned int flags() const noexcept;
    /// Returns the native struct, for driver calls.
    [[nodiscard]] const driver::CUdevResource& native() const noexcept { return native_; }

    /// Divides the SMs into disjoint groups of equal size, and returns them with the SMs that are left
    /// (cuDevSmResourceSplitByCount). Throws std::invalid_argument if the count is 0 or more than count(), for options that
    /// exclude each other, and if fewer groups fit than `groups`. Fewer may fit than count() divided by the size of a group: each
    /// group needs SMs that are scheduled together, and some SMs are not. Groups and remainder cannot be split again, but the
    /// resources of a GreenContext that was created with them can.
    [[nodiscard]] SmSplit split(const SmSplitOptions& options) const;
    /// Returns the number of groups that split() would create if `groups` were 0; `groups` is ignored
    /// (cuDevSmResourceSplitByCount). Throws std::invalid_argument if the count is 0 or more than count(), and for options that
    /// exclude each other.
    [[nodiscard]] unsigned int max_groups(const SmSplitOptions& options) const;

    /// Divides the SMs into disjoint groups with these properties, in order, and returns them with the SMs that are left. A group
    /// without a count takes as many SMs as are left. Throws std::invalid_argument for properties that the driver does not
    /// support or that do not fit, and for a driver before CUDA 13.1 (cuDevSmResourceSplit).
    [[nodiscard]] SmSplit split_structured(const std::vector<SmGroup>& groups) const;
    /// Returns the groups as split_structured() would create them, with the values that the driver derives for members that are
    /// 0. A count remains 0 if no SMs are left for its group. Throws std::invalid_argument as split_structured() does
    /// (cuDevSmResourceSplit).
    [[nodiscard]] std::vector<SmGroup> discover(const std::vector<SmGroup>& groups) const;

private:
    Device device_;
    driver::CUdevResource native_;
};

/// The result of a split.
struct SmSplit {
    std::vector<SmResource> groups;  ///< the groups, in the order of the request
    SmResource remainder;            ///< SMs that are in no group; may be empty, and has no guarantees about scheduling
};

/// Options for the work queues of a green context.
struct WorkqueueOptions {
    /// Whether work queues are shared by all contexts of the device, or kept apart from the work queues of other green contexts
    /// with the same scope, if possible.
    driver::CUdevWorkqueueConfigScope sharing_scope = driver::CU_WORKQUEUE_SCOPE_DEVICE_CTX;
    /// The number of streams that are expected to run at the same time. 0 leaves the limit unchanged.
    unsigned int concurrency_limit = 0;
};

/// The configuration of the work queues through which the streams of a context submit work. It is a value; a GreenContext uses
/// it. A default-constructed object is empty. Needs a driver of CUDA 13.1.
///
///     WorkqueueResource queues = device.resources().workqueue();
///     queues.configure({.sharing_scope = driver::CU_WORKQUEUE_SCOPE_GREEN_CTX_BALANCED});
///     GreenContext context(device, {.sm = {group}, .workqueue = queues});
class CUBIND_EXPORT WorkqueueResource {
public:
    /// Creates an empty resource, which requests the driver's default.
    WorkqueueResource() noexcept;
    /// Creates a resource from the native struct. Throws std::invalid_argument if its type is not
    /// CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG.
    explicit WorkqueueResource(const driver::CUdevResource& native);

    /// Returns whether the object is empty.
    [[nodiscard]] bool is_empty() const noexcept;
    /// Returns the device. Throws std::invalid_argument if the object is empty.
    [[nodiscard]] Device device() const;
    /// Returns how the work queues are shared.
    [[nodiscard]] driver::CUdevWorkqueueConfigScope sharing_scope() const noexcept;
    /// Returns the number of streams that are expected to run at the same time.
    [[nodiscard]] unsigned int concurrency_limit() const noexcept;
    /// Returns the native struct, for driver calls.
    [[nodiscard]] const driver::CUdevResource& native() const noexcept { return native_; }

    /// Changes the configuration of this object. Contexts that exist are unaffected. Throws std::invalid_argument if the object
    /// is empty.
    void configure(const WorkqueueOptions& options);

private:
    driver::CUdevResource native_;
};

/// The resources of a device, a context, a green context or a stream, from the function resources() of that object. It is a view:
/// each call queries the object, which must still exist.
class CUBIND_EXPORT DeviceResources {
public:
    /// Returns the SMs (cuDeviceGetDevResource, cuCtxGetDevResource, cuGreenCtxGetDevResource, cuStreamGetDevResource). Throws
    /// std::invalid_argument for a driver before CUDA 12.4, or 13.1 for the resources of a stream.
    [[nodiscard]] SmResource sm() const;
    /// Returns the configuration of the work queues, by the same calls. Throws std::invalid_argument for a driver before
    /// CUDA 13.1.
    [[nodiscard]] WorkqueueResource workqueue() const;

private:
    friend class ContextRef;
    friend class Device;
    friend class GreenContextRef;
    friend class StreamRef;
    using Query = driver::CUdevResource (*)(const DeviceResources& of, driver::CUdevResourceType type);

    DeviceResources(Device device, void* handle, Query query, const char* what, int since) noexcept
        : device_(device), handle_(handle), query_(query), what_(what), since_(since) {}
    driver::CUdevResource query(driver::CUdevResourceType type, int since) const;

    Device device_;
    void* handle_;  // of the object, unless it is the device
    Query query_;
    const char* what_;  // names the query in messages
    int since_;         // the first release with the query
};

}  // namespace CUBIND_NAMESPACE

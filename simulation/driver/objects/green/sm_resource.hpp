// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <bitset>
#include <vector>

#include "objects/device/device.hpp"

namespace CUBIND_NAMESPACE::sim {

constexpr unsigned max_multiprocessors = 256;

/// What a resource stores in the part of its struct that the driver does not document.
struct ResourceOrigin {
    unsigned mark;   ///< distinguishes structs of this driver from others
    unsigned split;  ///< the split that returned the resource, or 0 for a queried one
    CUdevice device;
    unsigned min_group;  ///< the smallest group of a split
    unsigned alignment;  ///< multiprocessors that are scheduled together
    std::bitset<max_multiprocessors> multiprocessors;
};

/// Reads the origin of a resource. Returns false if this driver did not return the resource.
bool read_origin(const CUdevResource& resource, ResourceOrigin& origin) noexcept;

/// Returns the multiprocessors of the device as a resource.
CUdevResource multiprocessors_of(const Device& device);
/// Returns the configuration of the device's work queues as a resource.
CUdevResource work_queues_of(const Device& device);
/// Checks whether there is a resource of this type among those of a green context.
bool has_resource(const std::vector<CUdevResource>& resources, CUdevResourceType type) noexcept;
/// Returns the resources of this type as one, as a query returns it: it is not the result of a split. Multiprocessors that occur
/// more than once count as often, up to those of the device.
CUdevResource merged_resource(const Device& device, const std::vector<CUdevResource>& resources, CUdevResourceType type);

/// Splits multiprocessors into at most `count` groups of equal size; `groups` may be null. Writes the number of groups.
CUresult split_by_count(CUdevResource* groups, unsigned& count, const CUdevResource& input, CUdevResource* remainder,
                        unsigned flags, unsigned min_size);
/// Splits multiprocessors into groups with these parameters, which are completed; `groups` may be null.
CUresult split(CUdevResource* groups, unsigned count, const CUdevResource& input, CUdevResource* remainder,
               CU_DEV_SM_RESOURCE_GROUP_PARAMS* parameters, const Device& device);

/// Checks whether a green context can have these resources. Writes their device. `needs_one_split` selects whether several
/// resources of multiprocessors must be disjoint results of one split.
CUresult check_resources(const CUdevResource* resources, unsigned count, bool needs_one_split, CUdevice& device);

}  // namespace CUBIND_NAMESPACE::sim

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
    driver::CUdevice device;
    unsigned min_group;  ///< the smallest group of a split
    unsigned alignment;  ///< multiprocessors that are scheduled together
    std::bitset<max_multiprocessors> multiprocessors;
};

/// Reads the origin of a resource. Returns false if this driver did not return the resource.
bool read_origin(const driver::CUdevResource& resource, ResourceOrigin& origin) noexcept;

/// Returns the multiprocessors of the device as a resource.
driver::CUdevResource multiprocessors_of(const Device& device);
/// Returns the configuration of the device's work queues as a resource.
driver::CUdevResource work_queues_of(const Device& device);
/// Checks whether there is a resource of this type among those of a green context.
bool has_resource(const std::vector<driver::CUdevResource>& resources, driver::CUdevResourceType type) noexcept;
/// Returns the resources of this type as one, as a query returns it: it is not the result of a split. Multiprocessors that occur
/// more than once count as often, up to those of the device.
driver::CUdevResource merged_resource(const Device& device, const std::vector<driver::CUdevResource>& resources,
                                      driver::CUdevResourceType type);

/// Splits multiprocessors into at most `count` groups of equal size; `groups` may be null. Writes the number of groups.
driver::CUresult split_by_count(driver::CUdevResource* groups, unsigned& count, const driver::CUdevResource& input,
                                driver::CUdevResource* remainder, unsigned flags, unsigned min_size);
/// Splits multiprocessors into groups with these parameters, which are completed; `groups` may be null.
driver::CUresult split(driver::CUdevResource* groups, unsigned count, const driver::CUdevResource& input,
                       driver::CUdevResource* remainder, driver::CU_DEV_SM_RESOURCE_GROUP_PARAMS* parameters,
                       const Device& device);

/// Checks whether a green context can have these resources. Writes their device. `needs_one_split` selects whether several
/// resources of multiprocessors must be disjoint results of one split.
driver::CUresult check_resources(const driver::CUdevResource* resources, unsigned count, bool needs_one_split,
                                 driver::CUdevice& device);

}  // namespace CUBIND_NAMESPACE::sim

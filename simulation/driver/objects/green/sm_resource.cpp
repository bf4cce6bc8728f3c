// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/green/sm_resource.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>

#include "objects/device/attributes.hpp"
#include "shared/round_up.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

constexpr unsigned mark_of_this_driver = 0x63756264;
constexpr unsigned pair = 2;  // the smallest number of multiprocessors that the hardware schedules together
constexpr unsigned max_work_queues = 8;

static_assert(sizeof(ResourceOrigin) <= sizeof(CUdevResource::_internal_padding));

void write_origin(CUdevResource& resource, const ResourceOrigin& origin) noexcept {
    std::memcpy(resource._internal_padding, &origin, sizeof origin);
}

unsigned new_split() noexcept {
    static constinit std::atomic<unsigned> last{0};
    return ++last;
}

// The smallest group, and the alignment of its size.
struct Granularity {
    unsigned min;
    unsigned alignment;
};

Granularity granularity_of(int major) noexcept {
    if (major >= 9) return {8, 8};
    if (major == 8) return {4, 2};
    if (major == 7) return {2, 2};
    return {1, 1};
}

CUdevResource make_multiprocessors(const ResourceOrigin& origin, unsigned flags) {
    CUdevResource resource{};
    const auto count = static_cast<unsigned>(origin.multiprocessors.count());
    if (count == 0) return resource;  // its type is CU_DEV_RESOURCE_TYPE_INVALID
    resource.type = CU_DEV_RESOURCE_TYPE_SM;
    resource.sm.smCount = count;
    resource.sm.minSmPartitionSize = origin.min_group;
    resource.sm.smCoscheduledAlignment = origin.alignment;
    resource.sm.flags = flags;
    write_origin(resource, origin);
    return resource;
}

// Takes multiprocessors from those that are left.
std::bitset<max_multiprocessors> take(std::bitset<max_multiprocessors>& left, unsigned count) {
    std::bitset<max_multiprocessors> taken;
    for (std::size_t i = 0; i < left.size() && count != 0; ++i) {
        if (!left[i]) continue;
        left.reset(i);
        taken.set(i);
        --count;
    }
    return taken;
}

// Returns the number of groups that can exist: each needs a set of multiprocessors that are scheduled together. As on an H200,
// 120 of the 132 multiprocessors form sets of 8. The hardware can schedule the last 12 only in pairs.
unsigned count_sets(const std::bitset<max_multiprocessors>& multiprocessors, unsigned alignment) {
    constexpr unsigned set_size = 8;
    constexpr unsigned sets = 15;
    if (alignment != set_size) return static_cast<unsigned>(multiprocessors.count()) / alignment;
    unsigned complete = 0;
    for (unsigned i = 0; i < sets; ++i) {
        const std::bitset<max_multiprocessors> set = std::bitset<max_multiprocessors>(0xff) << i * set_size;
        if ((multiprocessors & set) == set) ++complete;
    }
    return complete;
}

bool is_unchanged(const CUdevResource& resource, const ResourceOrigin& origin) noexcept {
    return resource.sm.smCount == origin.multiprocessors.count();
}

// Only resources that a query returned can be split. Results of a split cannot be split again.
CUresult check_input(const CUdevResource& input, ResourceOrigin& origin) {
    if (input.type != CU_DEV_RESOURCE_TYPE_SM) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
    if (!read_origin(input, origin)) return CUDA_ERROR_INVALID_VALUE;
    return origin.split == 0 && is_unchanged(input, origin) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
}

// Returns a part of a split: a group, or what remains. Nothing is guaranteed about the multiprocessors that remain.
ResourceOrigin part_of(const ResourceOrigin& input, unsigned split, unsigned min_group, unsigned alignment) {
    ResourceOrigin part = input;
    part.split = split;
    part.min_group = min_group;
    part.alignment = alignment;
    return part;
}

CUdevResource make_remainder(const ResourceOrigin& left, unsigned split) {
    return make_multiprocessors(part_of(left, split, std::min(pair, left.min_group), std::min(pair, left.alignment)), 0);
}

// Completes the parameters of a group for which `left` multiprocessors remain.
CUresult complete(CU_DEV_SM_RESOURCE_GROUP_PARAMS& group, unsigned left, unsigned all, const Granularity& granularity,
                  bool must_exist) {
    const unsigned max_coscheduled = granularity.alignment >= 8 ? 32 : granularity.alignment;
    if (group.coscheduledSmCount == 0) group.coscheduledSmCount = granularity.alignment;
    if (group.preferredCoscheduledSmCount == 0) group.preferredCoscheduledSmCount = group.coscheduledSmCount;
    const unsigned together = group.coscheduledSmCount;
    const bool is_backfilled = (group.flags & CU_DEV_SM_RESOURCE_GROUP_BACKFILL) != 0;
    if ((group.flags & ~unsigned{CU_DEV_SM_RESOURCE_GROUP_BACKFILL}) != 0) return CUDA_ERROR_INVALID_VALUE;
    if (together > max_coscheduled || together % std::min(pair, granularity.alignment) != 0) return CUDA_ERROR_INVALID_VALUE;
    if (group.preferredCoscheduledSmCount % together != 0) return CUDA_ERROR_INVALID_VALUE;
    const unsigned step = is_backfilled ? std::min(pair, granularity.alignment) : together;
    if (group.smCount == 0) {
        group.smCount = left / step * step;
    } else if (group.smCount % step != 0 || group.smCount > all) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (group.smCount > left) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    const bool is_possible = group.smCount != 0 && (is_backfilled || group.smCount >= together);
    return is_possible || !must_exist ? CUDA_SUCCESS : CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
}

}  // namespace

bool read_origin(const CUdevResource& resource, ResourceOrigin& origin) noexcept {
    std::memcpy(&origin, resource._internal_padding, sizeof origin);
    return origin.mark == mark_of_this_driver;
}

CUdevResource multiprocessors_of(const Device& device) {
    const Granularity granularity = granularity_of(device.major);
    ResourceOrigin origin{.mark = mark_of_this_driver,
                          .split = 0,
                          .device = device.ordinal,
                          .min_group = granularity.min,
                          .alignment = granularity.alignment,
                          .multiprocessors = {}};
    std::bitset<max_multiprocessors> all;
    all.set();
    origin.multiprocessors = take(all, static_cast<unsigned>(device_attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)));
    return make_multiprocessors(origin, 0);
}

CUdevResource work_queues_of(const Device& device) {
    CUdevResource resource{};
    resource.type = CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG;
    resource.wqConfig = {
        .device = device.ordinal, .wqConcurrencyLimit = max_work_queues, .sharingScope = CU_WORKQUEUE_SCOPE_DEVICE_CTX};
    ResourceOrigin origin{};
    origin.mark = mark_of_this_driver;
    origin.device = device.ordinal;
    write_origin(resource, origin);
    return resource;
}

bool has_resource(const std::vector<CUdevResource>& resources, CUdevResourceType type) noexcept {
    return std::ranges::any_of(resources, [&](const CUdevResource& each) { return each.type == type; });
}

CUdevResource merged_resource(const Device& device, const std::vector<CUdevResource>& resources, CUdevResourceType type) {
    const auto first = std::ranges::find_if(resources, [&](const CUdevResource& each) { return each.type == type; });
    CUdevResource merged = *first;
    merged.nextResource = nullptr;
    if (type != CU_DEV_RESOURCE_TYPE_SM) return merged;
    ResourceOrigin all{};
    ResourceOrigin whole{};
    read_origin(merged, all);
    read_origin(multiprocessors_of(device), whole);
    all.split = 0;
    for (const CUdevResource& each : std::span(first + 1, resources.end())) {
        ResourceOrigin origin{};
        if (each.type != type || !read_origin(each, origin)) continue;
        const auto repeated = static_cast<unsigned>((all.multiprocessors & origin.multiprocessors).count());
        all.multiprocessors |= origin.multiprocessors;
        std::bitset<max_multiprocessors> others = whole.multiprocessors & ~all.multiprocessors;
        all.multiprocessors |= take(others, repeated);
        all.min_group = std::min(all.min_group, origin.min_group);
        all.alignment = std::min(all.alignment, origin.alignment);
    }
    return make_multiprocessors(all, merged.sm.flags);
}

CUresult split_by_count(CUdevResource* groups, unsigned& count, const CUdevResource& input, CUdevResource* remainder,
                        unsigned flags, unsigned min_size) {
    constexpr unsigned ignore = CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING;
    constexpr unsigned exclusive = ignore | CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE;
    ResourceOrigin origin{};
    if (const CUresult status = check_input(input, origin)) return status;
    if ((flags & exclusive) == exclusive) return CUDA_ERROR_INVALID_VALUE;  // other flags have no effect
    const unsigned all = input.sm.smCount;
    if (min_size > all) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    Granularity granularity{origin.min_group, origin.alignment};
    if ((flags & ignore) != 0) granularity = {std::min(pair, granularity.min), std::min(pair, granularity.alignment)};
    const auto rounded = static_cast<unsigned>(round_up(std::max(min_size, granularity.min), granularity.alignment));
    const unsigned size = std::min(rounded, all);
    const unsigned fit = std::min(all / size, count_sets(origin.multiprocessors, granularity.alignment));
    if (fit == 0) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
    count = groups == nullptr ? fit : std::min(count, fit);
    if (groups == nullptr) return CUDA_SUCCESS;
    ResourceOrigin part = part_of(origin, new_split(), granularity.min, granularity.alignment);
    for (unsigned i = 0; i < count; ++i) {
        part.multiprocessors = take(origin.multiprocessors, size);
        groups[i] = make_multiprocessors(part, 0);
    }
    if (remainder != nullptr) *remainder = make_remainder(origin, part.split);
    return CUDA_SUCCESS;
}

CUresult split(CUdevResource* groups, unsigned count, const CUdevResource& input, CUdevResource* remainder,
               CU_DEV_SM_RESOURCE_GROUP_PARAMS* parameters, const Device& device) {
    ResourceOrigin origin{};
    if (const CUresult status = check_input(input, origin)) return status;
    const Granularity granularity = granularity_of(device.major);
    const unsigned split = new_split();
    for (unsigned i = 0; i < count; ++i) {
        const auto left = static_cast<unsigned>(origin.multiprocessors.count());
        CU_DEV_SM_RESOURCE_GROUP_PARAMS& group = parameters[i];
        if (const CUresult status = complete(group, left, input.sm.smCount, granularity, groups != nullptr)) return status;
        ResourceOrigin part = part_of(origin, split, granularity.min, group.coscheduledSmCount);
        part.multiprocessors = take(origin.multiprocessors, group.smCount);
        if (groups != nullptr) groups[i] = make_multiprocessors(part, group.flags);
    }
    if (remainder != nullptr) *remainder = make_remainder(origin, split);
    return CUDA_SUCCESS;
}

CUresult check_resources(const CUdevResource* resources, unsigned count, bool needs_one_split, CUdevice& device) {
    const CUdevResource* first = nullptr;  // first resource of multiprocessors
    ResourceOrigin all{};
    for (const CUdevResource& each : std::span(resources, count)) {
        ResourceOrigin origin{};
        if (each.type != CU_DEV_RESOURCE_TYPE_SM && each.type != CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG) {
            return CUDA_ERROR_INVALID_RESOURCE_TYPE;
        }
        if (!read_origin(each, origin)) return CUDA_ERROR_INVALID_VALUE;
        if (&each == resources) device = origin.device;
        if (origin.device != device) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
        if (each.type != CU_DEV_RESOURCE_TYPE_SM) continue;
        if (!is_unchanged(each, origin)) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
        if (first == nullptr || !needs_one_split) {
            first = &each;
            all = origin;
            continue;
        }
        const bool is_of_same_split = origin.split != 0 && origin.split == all.split;
        const bool is_aligned_alike = each.sm.smCoscheduledAlignment == first->sm.smCoscheduledAlignment;
        const bool is_disjoint = (all.multiprocessors & origin.multiprocessors).none();
        if (!is_of_same_split || !is_aligned_alike || !is_disjoint) return CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION;
        all.multiprocessors |= origin.multiprocessors;
    }
    return CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/device_resources.hpp>
#include <cubind/driver/green_context.hpp>

#include <string>
#include <utility>

#include "calls/driver.hpp"
#include "calls/required_release.hpp"

namespace CUBIND_NAMESPACE {

// ---- properties ----------------------------------------------------------------------------------------------------------

SmResource::SmResource() : device_(0), native_{} {}

SmResource::SmResource(Device device, const driver::CUdevResource& native) : device_(device), native_(native) {
    if (native.type == driver::CU_DEV_RESOURCE_TYPE_INVALID) {
        native_ = {};
    } else if (native.type != driver::CU_DEV_RESOURCE_TYPE_SM) {
        detail::throw_misuse("an SmResource needs a native resource of type CU_DEV_RESOURCE_TYPE_SM, not ",
                             static_cast<unsigned int>(native.type));
    }
}

unsigned int SmResource::count() const noexcept {
    return native_.sm.smCount;
}

unsigned int SmResource::min_partition_size() const noexcept {
    return native_.sm.minSmPartitionSize;
}

unsigned int SmResource::coscheduled_alignment() const noexcept {
    return native_.sm.smCoscheduledAlignment;
}

unsigned int SmResource::flags() const noexcept {
    return native_.sm.flags;
}

namespace {

void check_not_empty(const SmResource& resource) {
    if (resource.is_empty()) {
        detail::throw_misuse(
            "an empty SmResource cannot be split: call Device::resources().sm(), or check is_empty() of a remainder");
    }
}

std::vector<SmResource> as_sm_resources(Device device, const std::vector<driver::CUdevResource>& natives) {
    std::vector<SmResource> resources;
    resources.reserve(natives.size());
    for (const driver::CUdevResource& each : natives) resources.emplace_back(device, each);
    return resources;
}

bool is_refused(driver::CUresult status) {
    return status == driver::CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION || status == driver::CUDA_ERROR_INVALID_VALUE;
}

constexpr const char* advice_on_input =
    "A group or a remainder of a split cannot be split again: create a GreenContext with it, and split the SMs that "
    "GreenContext::resources().sm() returns.";

// ---- by count ------------------------------------------------------------------------------------------------------------

unsigned int flags_of(const SmSplitOptions& options) {
    unsigned int flags = 0;
    if (options.ignore_coscheduling) flags |= driver::CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING;
    if (options.max_potential_cluster_size) flags |= driver::CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE;
    return flags;
}

void check_options(const SmResource& resource, const SmSplitOptions& options) {
    check_not_empty(resource);
    if (options.count == 0) detail::throw_misuse("SmSplitOptions::count is 0, but it must be at least 1");
    if (options.count > resource.count()) {
        detail::throw_misuse("SmSplitOptions::count of ", options.count, " is more than the ", resource.count(),
                             " SMs of the resource");
    }
    if (options.ignore_coscheduling && options.max_potential_cluster_size) {
        detail::throw_misuse(
            "a split of SMs cannot have both ignore_coscheduling and max_potential_cluster_size: SMs that are chosen one by one "
            "run no large clusters. Set one of them");
    }
    detail::require_release("SmResource::split()", 12040);
}

[[noreturn]] void throw_too_few(const SmResource& resource, const SmSplitOptions& options, unsigned int fit) {
    detail::throw_misuse("", resource.count(), " SMs cannot be split into ", options.groups == 0 ? 1 : options.groups,
                         " groups of ", options.count, ": ", fit, " fit. The driver rounds a group up to at least ",
                         resource.min_partition_size(), " SMs and to a multiple of ", resource.coscheduled_alignment(),
                         options.ignore_coscheduling ? ", unless ignore_coscheduling allows less" : "");
}

template <class Result>
auto check_split(const Result& result) {
    if (!result.ok()) detail::throw_with_advice({result.status}, is_refused(result.status) ? advice_on_input : "");
    return result;
}

}  // namespace

unsigned int SmResource::max_groups(const SmSplitOptions& options) const {
    check_options(*this, options);
    return check_split(driver::cuDevSmResourceSplitByCount(nullptr, 0, &native_, flags_of(options), options.count)).value1;
}

SmSplit SmResource::split(const SmSplitOptions& options) const {
    const unsigned int fit = max_groups(options);
    const unsigned int wanted = options.groups == 0 ? fit : options.groups;
    if (wanted == 0 || wanted > fit) throw_too_few(*this, options, fit);
    std::vector<driver::CUdevResource> natives(wanted);
    const auto divided =
        check_split(driver::cuDevSmResourceSplitByCount(natives.data(), wanted, &native_, flags_of(options), options.count));
    if (divided.value1 < wanted && options.groups != 0) throw_too_few(*this, options, divided.value1);
    natives.resize(divided.value1);
    return {as_sm_resources(device_, natives), SmResource(device_, divided.value2)};
}

// ---- structured ----------------------------------------------------------------------------------------------------------

namespace {

// Throws if a count violates a rule that holds for all devices.
void check_group(const SmResource& resource, const SmGroup& group, std::size_t index) {
    if (group.count > resource.count()) {
        detail::throw_misuse("the count ", group.count, " of group ", index, " is more than the ", resource.count(),
                             " SMs of the resource");
    }
    if (group.count % 2 != 0) {
        detail::throw_misuse("the count ", group.count, " of group ", index, " must be a multiple of 2");
    }
    const bool is_aligned = group.backfill || group.coscheduled_count == 0 || group.count % group.coscheduled_count == 0;
    if (!is_aligned) {
        detail::throw_misuse("the count ", group.count, " of group ", index, " must be a multiple of its coscheduled_count ",
                             group.coscheduled_count, ", or its backfill must be set");
    }
}

std::vector<driver::CU_DEV_SM_RESOURCE_GROUP_PARAMS> parameters_of(const SmResource& resource,
                                                                   const std::vector<SmGroup>& groups) {
    check_not_empty(resource);
    if (groups.empty()) detail::throw_misuse("a structured split needs at least one SmGroup");
    std::vector<driver::CU_DEV_SM_RESOURCE_GROUP_PARAMS> parameters(groups.size());
    unsigned long long sum = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        check_group(resource, groups[i], i);
        sum += groups[i].count;
        parameters[i].smCount = groups[i].count;
        parameters[i].coscheduledSmCount = groups[i].coscheduled_count;
        parameters[i].preferredCoscheduledSmCount = groups[i].preferred_coscheduled_count;
        parameters[i].flags =
            groups[i].backfill ? driver::CU_DEV_SM_RESOURCE_GROUP_BACKFILL : driver::CU_DEV_SM_RESOURCE_GROUP_DEFAULT;
    }
    if (sum > resource.count()) {
        detail::throw_misuse("the groups of a structured split have ", sum, " SMs, but the resource has ", resource.count());
    }
    detail::require_release("a structured split of SMs", 13010);
    return parameters;
}

std::string advice_on_groups(const SmResource& resource) {
    return "The resource has " + std::to_string(resource.count()) + " SMs and schedules " +
           std::to_string(resource.coscheduled_alignment()) +
           " together; a group needs at least its coscheduled_count. discover() "
           "returns the counts that fit. " +
           advice_on_input;
}

driver::CUdevResource split_native(const SmResource& resource, driver::CUdevResource* results,
                                   std::vector<driver::CU_DEV_SM_RESOURCE_GROUP_PARAMS>& parameters) {
    const auto divided = driver::cuDevSmResourceSplit(results, static_cast<unsigned int>(parameters.size()), &resource.native(),
                                                      0, parameters.data());
    if (!divided.ok()) detail::throw_with_advice({divided.status}, is_refused(divided.status) ? advice_on_groups(resource) : "");
    return divided.value;
}

}  // namespace

SmSplit SmResource::split_structured(const std::vector<SmGroup>& groups) const {
    auto parameters = parameters_of(*this, groups);
    std::vector<driver::CUdevResource> natives(groups.size());
    const driver::CUdevResource remainder = split_native(*this, natives.data(), parameters);
    return {as_sm_resources(device_, natives), SmResource(device_, remainder)};
}

std::vector<SmGroup> SmResource::discover(const std::vector<SmGroup>& groups) const {
    auto parameters = parameters_of(*this, groups);
    (void)split_native(*this, nullptr, parameters);
    std::vector<SmGroup> discovered;
    discovered.reserve(groups.size());
    for (const driver::CU_DEV_SM_RESOURCE_GROUP_PARAMS& each : parameters) {
        const bool backfill = (each.flags & driver::CU_DEV_SM_RESOURCE_GROUP_BACKFILL) != 0;
        discovered.push_back({each.smCount, each.coscheduledSmCount, each.preferredCoscheduledSmCount, backfill});
    }
    return discovered;
}

}  // namespace CUBIND_NAMESPACE

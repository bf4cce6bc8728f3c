// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <optional>
#include <simulation/functions.hpp>
#include <vector>

#include "machine/check.hpp"
#include "objects/memory/managed.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// Returns the value that all pages of a range have in common, or nullopt if they differ.
template <class Value, class Get>
std::optional<Value> common_value(const AdviceMap& map, std::size_t offset, std::size_t bytes, Get get) {
    std::optional<Value> found;
    bool is_common = true;
    map.for_each(offset, bytes, [&](const Advice& each) {
        if (found && !(*found == get(each))) is_common = false;
        found = get(each);
    });
    return is_common ? found : std::nullopt;
}

int location_number(const Advice::Location& location) noexcept {
    return location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA ? Advice::host : location.id;
}

// The program's buffer need not be aligned.
CUresult write_value(void* data, int value, std::size_t index = 0) {
    std::memcpy(static_cast<std::byte*>(data) + index * sizeof value, &value, sizeof value);
    return CUDA_SUCCESS;
}

CUresult write_range_attribute(void* data, std::size_t bytes, CUmem_range_attribute attribute, const AdviceMap& map,
                               std::size_t offset, std::size_t count) {
    const auto read_location = [&](Advice::Location Advice::*member) {
        return common_value<Advice::Location>(map, offset, count, [=](const Advice& each) { return each.*member; })
            .value_or(Advice::Location{});
    };
    if (attribute == CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY) {
        if (bytes == 0 || bytes % sizeof(int) != 0) return CUDA_ERROR_INVALID_VALUE;
        const auto devices = common_value<std::set<int>>(map, offset, count, [](const Advice& each) { return each.accessed_by; });
        const auto listed = devices.value_or(std::set<int>());
        std::vector<int> sorted(listed.upper_bound(Advice::host), listed.end());
        sorted.insert(sorted.end(), listed.begin(), listed.upper_bound(Advice::host));  // the host follows the devices
        for (std::size_t index = 0; index < bytes / sizeof(int); ++index) {
            write_value(data, index < sorted.size() ? sorted[index] : Advice::no_location, index);
        }
        return CUDA_SUCCESS;
    }
    if (bytes != sizeof(int)) return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
        case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
            return write_value(
                data,
                common_value<bool>(map, offset, count, [](const Advice& a) { return a.read_mostly; }).value_or(false) ? 1 : 0);
        case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
            return write_value(data, location_number(read_location(&Advice::preferred)));
        case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
            return write_value(data, static_cast<int>(read_location(&Advice::preferred).type));
        case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
            return write_value(data, read_location(&Advice::preferred).id);
        case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
            return write_value(data, location_number(read_location(&Advice::last_prefetch)));
        case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
            return write_value(data, static_cast<int>(read_location(&Advice::last_prefetch).type));
        case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
            return write_value(data, read_location(&Advice::last_prefetch).id);
        default:
            return CUDA_ERROR_INVALID_VALUE;
    }
}

}  // namespace

extern "C" {

CUresult sim_cuMemAdvise_v2(CUdeviceptr devPtr, std::size_t count, CUmem_advise advice, CUmemLocation location) {
    const Valid<CurrentCheck> context;
    const auto memory = find_managed(machine().memory, devPtr, count);
    if (memory == nullptr || advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const bool has_location = advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION || advice == CU_MEM_ADVISE_SET_ACCESSED_BY ||
                              advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY;
    const bool is_known = location.type >= CU_MEM_LOCATION_TYPE_DEVICE && location.type <= CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
    const bool is_numa =
        location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA || location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
    Advice::Location target;
    if (!is_known || (has_location && convert_location(location, machine().devices, target) != CUDA_SUCCESS))
        return CUDA_ERROR_INVALID_VALUE;
    if (is_numa && has_location) {
        // As in the driver, advice about accesses by a NUMA node is invalid, and a preference for a NUMA node is ignored.
        if (advice != CU_MEM_ADVISE_SET_PREFERRED_LOCATION) return CUDA_ERROR_INVALID_VALUE;
        target = {};
    }
    memory->advice->change(devPtr - memory->base, count, [&](Advice& each) {
        switch (advice) {
            case CU_MEM_ADVISE_SET_READ_MOSTLY:
                each.read_mostly = true;
                break;
            case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
                each.read_mostly = false;
                break;
            case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
                each.preferred = target;
                break;
            case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
                each.preferred = {};
                break;
            case CU_MEM_ADVISE_SET_ACCESSED_BY:
                each.accessed_by.insert(location_number(target));
                break;
            case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
                each.accessed_by.erase(location_number(target));
                break;
        }
    });
    return CUDA_SUCCESS;
}

CUresult sim_cuMemAdvise(CUdeviceptr devPtr, std::size_t count, CUmem_advise advice, CUdevice device) {
    const bool ignores_device = advice == CU_MEM_ADVISE_SET_READ_MOSTLY || advice == CU_MEM_ADVISE_UNSET_READ_MOSTLY ||
                                advice == CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION;
    const Valid<CurrentCheck> context;
    if (!ignores_device && device != Advice::host && find_device(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    return sim_cuMemAdvise_v2(devPtr, count, advice, location_of(device));
}

CUresult sim_cuMemRangeGetAttributes(void** data, std::size_t* dataSizes, CUmem_range_attribute* attributes,
                                     std::size_t numAttributes, CUdeviceptr devPtr, std::size_t count) {
    const Valid<CurrentCheck> context;
    const bool has_arrays = data != nullptr && dataSizes != nullptr && attributes != nullptr && numAttributes != 0;
    const auto memory = find_managed(machine().memory, devPtr, count);
    if (!has_arrays || memory == nullptr) return CUDA_ERROR_INVALID_VALUE;
    for (std::size_t i = 0; i < numAttributes; ++i) {
        if (data[i] == nullptr) return CUDA_ERROR_INVALID_VALUE;
        const CUresult status =
            write_range_attribute(data[i], dataSizes[i], attributes[i], *memory->advice, devPtr - memory->base, count);
        if (status != CUDA_SUCCESS) return status;
    }
    return CUDA_SUCCESS;
}

CUresult sim_cuMemRangeGetAttribute(void* data, std::size_t dataSize, CUmem_range_attribute attribute, CUdeviceptr devPtr,
                                    std::size_t count) {
    return sim_cuMemRangeGetAttributes(&data, &dataSize, &attribute, 1, devPtr, count);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim

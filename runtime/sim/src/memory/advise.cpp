// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/behaviours.hpp>

#include <cstring>
#include <optional>
#include <vector>

#include "machine/check.hpp"
#include "memory/managed.hpp"

namespace cubind::sim {

namespace {

/// Returns the value that all pages of a range have in common, or nullopt if they differ.
template <class Value, class Get>
std::optional<Value> common(const AdviceMap& map, std::size_t offset, std::size_t bytes, Get get) {
    std::optional<Value> found;
    bool is_common = true;
    map.for_each(offset, bytes, [&](const Advice& each) {
        if (found && !(*found == get(each))) is_common = false;
        found = get(each);
    });
    return is_common ? found : std::nullopt;
}

int number_of(const Advice::Where& where) noexcept {
    return where.type == CU_MEM_LOCATION_TYPE_HOST_NUMA ? Advice::host : where.id;
}

// The program's buffer need not be aligned.
CUresult put(void* data, int value, std::size_t place = 0) {
    std::memcpy(static_cast<std::byte*>(data) + place * sizeof value, &value, sizeof value);
    return CUDA_SUCCESS;
}

CUresult give_attribute(void* data, std::size_t bytes, CUmem_range_attribute attribute, const AdviceMap& map, std::size_t offset,
                        std::size_t count) {
    const auto where = [&](Advice::Where Advice::*member) {
        return common<Advice::Where>(map, offset, count, [=](const Advice& each) { return each.*member; })
            .value_or(Advice::Where{});
    };
    if (attribute == CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY) {
        if (bytes == 0 || bytes % sizeof(int) != 0) return CUDA_ERROR_INVALID_VALUE;
        const auto devices = common<std::set<int>>(map, offset, count, [](const Advice& each) { return each.accessed_by; });
        const auto listed = devices.value_or(std::set<int>());
        auto next = listed.begin();
        for (std::size_t place = 0; place < bytes / sizeof(int); ++place) {
            put(data, next != listed.end() ? *next++ : Advice::nowhere, place);
        }
        return CUDA_SUCCESS;
    }
    if (bytes != sizeof(int)) return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
        case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
            return put(data, common<bool>(map, offset, count, [](const Advice& a) { return a.read_mostly; }).value_or(false) ? 1 : 0);
        case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION: return put(data, number_of(where(&Advice::preferred)));
        case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE: return put(data, static_cast<int>(where(&Advice::preferred).type));
        case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID: return put(data, where(&Advice::preferred).id);
        case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION: return put(data, number_of(where(&Advice::last_prefetch)));
        case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
            return put(data, static_cast<int>(where(&Advice::last_prefetch).type));
        case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID: return put(data, where(&Advice::last_prefetch).id);
        default: return CUDA_ERROR_INVALID_VALUE;
    }
}

}  // namespace

extern "C" {

CUresult sim_cuMemAdvise_v2(CUdeviceptr devPtr, std::size_t count, CUmem_advise advice, CUmemLocation location) {
    const CurrentCheck context;
    if (context.failed()) return context.status;
    const auto memory = find_managed(devPtr, count);
    if (memory == nullptr || advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const bool has_location = advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION || advice == CU_MEM_ADVISE_SET_ACCESSED_BY ||
                              advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY;
    Advice::Where where;
    if (has_location && where_is(location, where) != CUDA_SUCCESS) return CUDA_ERROR_INVALID_VALUE;
    memory->advice->change(devPtr - memory->base, count, [&](Advice& each) {
        switch (advice) {
            case CU_MEM_ADVISE_SET_READ_MOSTLY: each.read_mostly = true; break;
            case CU_MEM_ADVISE_UNSET_READ_MOSTLY: each.read_mostly = false; break;
            case CU_MEM_ADVISE_SET_PREFERRED_LOCATION: each.preferred = where; break;
            case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION: each.preferred = {}; break;
            case CU_MEM_ADVISE_SET_ACCESSED_BY: each.accessed_by.insert(number_of(where)); break;
            case CU_MEM_ADVISE_UNSET_ACCESSED_BY: each.accessed_by.erase(number_of(where)); break;
        }
    });
    return CUDA_SUCCESS;
}

CUresult sim_cuMemAdvise(CUdeviceptr devPtr, std::size_t count, CUmem_advise advice, CUdevice device) {
    return sim_cuMemAdvise_v2(devPtr, count, advice, location_of(device));
}

CUresult sim_cuMemRangeGetAttributes(void** data, std::size_t* dataSizes, CUmem_range_attribute* attributes,
                                     std::size_t numAttributes, CUdeviceptr devPtr, std::size_t count) {
    const CurrentCheck context;
    if (context.failed()) return context.status;
    const bool is_list = data != nullptr && dataSizes != nullptr && attributes != nullptr && numAttributes != 0;
    const auto memory = find_managed(devPtr, count);
    if (!is_list || memory == nullptr) return CUDA_ERROR_INVALID_VALUE;
    for (std::size_t i = 0; i < numAttributes; ++i) {
        if (data[i] == nullptr) return CUDA_ERROR_INVALID_VALUE;
        const CUresult status = give_attribute(data[i], dataSizes[i], attributes[i], *memory->advice, devPtr - memory->base, count);
        if (status != CUDA_SUCCESS) return status;
    }
    return CUDA_SUCCESS;
}

CUresult sim_cuMemRangeGetAttribute(void* data, std::size_t dataSize, CUmem_range_attribute attribute, CUdeviceptr devPtr,
                                    std::size_t count) {
    return sim_cuMemRangeGetAttributes(&data, &dataSize, &attribute, 1, devPtr, count);
}

}  // extern "C"

}  // namespace cubind::sim

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

namespace answers {

namespace {

constexpr std::size_t size = 1 << 20;

CUmemLocation location(CUmemLocationType type, int id = 0) {
    CUmemLocation made{};
    made.type = type;
    made.id = id;
    return made;
}

void ask_about_ranges(const char* moment, CUdeviceptr memory) {
    for (int i = 1; i <= 8; ++i) {
        const auto attribute = static_cast<CUmem_range_attribute>(i);
        int values[3] = {77, 77, 77};
        const std::size_t bytes = attribute == CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY ? sizeof values : sizeof(int);
        const std::string question = std::string("range attribute ") + std::to_string(i) + ' ' + moment;
        ask(question.c_str(), [&] { return cuMemRangeGetAttribute(values, bytes, attribute, memory, size); });
        for (std::size_t j = 0; j < bytes / sizeof(int); ++j) {
            report((question + " value " + std::to_string(j)).c_str(), values[j]);
        }
    }
}

void ask_about_advice(CUdeviceptr memory) {
    const CUmemLocation device = location(CU_MEM_LOCATION_TYPE_DEVICE);
    const CUmemLocation host = location(CU_MEM_LOCATION_TYPE_HOST);
    const CUmemLocation numa = location(CU_MEM_LOCATION_TYPE_HOST_NUMA);
    const CUmemLocation current = location(CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT);
    const CUmemLocation none{};
    const CUmemLocation far = location(CU_MEM_LOCATION_TYPE_DEVICE, 99);
    ask_about_ranges("at first", memory);
    ASK(cuMemAdvise(memory, size, CU_MEM_ADVISE_SET_ACCESSED_BY, host));
    ASK(cuMemAdvise(memory, size, CU_MEM_ADVISE_SET_ACCESSED_BY, device));
    ask_about_ranges("after host and device 0", memory);
    ASK(cuMemAdvise(memory, size, CU_MEM_ADVISE_UNSET_ACCESSED_BY, device));
    ask_about_ranges("after unsetting device 0", memory);
    for (const CUmemLocation& each : {device, host, numa, current, none, far}) {
        ASK(cuMemAdvise(memory, size, CU_MEM_ADVISE_SET_READ_MOSTLY, each));
        ASK(cuMemAdvise(memory, size, CU_MEM_ADVISE_UNSET_READ_MOSTLY, each));
        ASK(cuMemAdvise(memory, size, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, each));
        ask_about_ranges("after a preferred location", memory);
        ASK(cuMemAdvise(memory, size, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, each));
        ASK(cuMemAdvise(memory, size, CU_MEM_ADVISE_SET_ACCESSED_BY, each));
        ASK(cuMemAdvise(memory, size, CU_MEM_ADVISE_UNSET_ACCESSED_BY, each));
    }
    ASK(cuMemAdvise(memory, size, static_cast<CUmem_advise>(99), device));
    ASK(cuMemAdvise(memory, 0, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
    ASK(cuMemAdvise(memory, size * 4, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
    ASK(cuMemAdvise(bad_address, size, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
    ASK(cuMemAdvise_v1(memory, size, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_DEVICE_CPU));
    ASK(cuMemAdvise_v1(memory, size, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, -2));
    ASK(cuMemAdvise_v1(memory, size, CU_MEM_ADVISE_SET_ACCESSED_BY, 99));
}

void ask_about_prefetches(CUdeviceptr memory, CUstream stream) {
    const CUmemLocation device = location(CU_MEM_LOCATION_TYPE_DEVICE);
    const CUmemLocation host = location(CU_MEM_LOCATION_TYPE_HOST);
    ASK(cuMemPrefetchAsync(memory, size, device, 0, stream));
    ASK(cuStreamSynchronize(stream));
    ask_about_ranges("after a prefetch to the device", memory);
    ASK(cuMemPrefetchAsync(memory, size, host, 0, stream));
    ASK(cuStreamSynchronize(stream));
    ask_about_ranges("after a prefetch to the host", memory);
    ASK(cuMemPrefetchAsync(memory, size, location(CU_MEM_LOCATION_TYPE_DEVICE, 99), 0, stream));
    ASK(cuMemPrefetchAsync(memory, size, location(CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT), 0, stream));
    ASK(cuMemPrefetchAsync(memory, size, CUmemLocation{}, 0, stream));
    ASK(cuMemPrefetchAsync(memory, size, device, 1, stream));
    ASK(cuMemPrefetchAsync(memory, 0, device, 0, stream));
    ASK(cuMemPrefetchAsync(memory, 4 * size, device, 0, stream));
    ASK(cuMemPrefetchAsync(bad_address, size, device, 0, stream));
    ASK(cuMemPrefetchAsync(memory, size, device, 0, nullptr));
    ASK(cuMemPrefetchAsync_v1(memory, size, CU_DEVICE_CPU, stream));
    CUdeviceptr ranges[] = {memory, memory + size / 2};
    std::size_t sizes[] = {size / 2, size / 2};
    CUmemLocation locations[] = {device, host};
    std::size_t indices[] = {0, 1};
    ASK(cuMemPrefetchBatchAsync(ranges, sizes, 2, locations, indices, 2, 0, stream));
    ASK(cuMemPrefetchBatchAsync(ranges, sizes, 2, locations, indices, 2, 1, stream));
    ASK(cuMemPrefetchBatchAsync(ranges, sizes, 0, locations, indices, 2, 0, stream));
    ASK(cuMemPrefetchBatchAsync(ranges, sizes, 2, locations, indices, 0, 0, stream));
    ASK(cuMemPrefetchBatchAsync(ranges, sizes, 2, locations, indices, 2, 0, nullptr));
    ASK(cuMemDiscardBatchAsync(ranges, sizes, 2, 0, stream));
    ASK(cuMemDiscardBatchAsync(ranges, sizes, 0, 0, stream));
    ASK(cuMemDiscardAndPrefetchBatchAsync(ranges, sizes, 2, locations, indices, 2, 0, stream));
    ASK(cuStreamSynchronize(stream));
}

}  // namespace

void ask_about_managed_memory() {
    use_device();
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUdeviceptr memory = ASK(cuMemAllocManaged(size, CU_MEM_ATTACH_GLOBAL)).value;
    const CUdeviceptr of_host = ASK(cuMemAllocManaged(4096, CU_MEM_ATTACH_HOST)).value;
    ASK(cuMemAllocManaged(4096, CU_MEM_ATTACH_SINGLE));
    ASK(cuMemAllocManaged(4096, 0));
    ASK(cuMemAllocManaged(4096, 3));
    ASK(cuMemAllocManaged(0, CU_MEM_ATTACH_GLOBAL));
    ask_about_advice(memory);
    ask_about_prefetches(memory, stream);
    int values[3] = {};
    ASK(cuMemRangeGetAttribute(values, 8, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, size));
    ASK(cuMemRangeGetAttribute(values, 10, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, size));
    ASK(cuMemRangeGetAttribute(values, 0, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, size));
    ASK(cuMemRangeGetAttribute(values, 4, static_cast<CUmem_range_attribute>(99), memory, size));
    ASK(cuMemRangeGetAttribute(nullptr, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, size));
    ASK(cuMemRangeGetAttribute(values, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, bad_address, 4096));
    ASK(cuMemRangeGetAttribute(values, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, 4 * size));
    ASK(cuMemRangeGetAttribute(values, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, cuMemAlloc(4096).value, 4096));
    void* data[] = {values, values + 1};
    std::size_t sizes[] = {4, 4};
    CUmem_range_attribute attributes[] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION};
    ASK(cuMemRangeGetAttributes(data, sizes, attributes, 2, memory, size));
    ASK(cuMemRangeGetAttributes(data, sizes, attributes, 0, memory, size));
    ASK(cuMemFree(memory + 4096));
    ASK(cuMemFree(memory));
    ASK(cuMemFree(of_host));
}

}  // namespace answers

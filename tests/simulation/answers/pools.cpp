// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "groups.hpp"

namespace answers {

namespace {

struct NamedType {
    const char* name;
    CUmemAllocationType type;
};
struct NamedLocation {
    const char* name;
    CUmemLocationType type;
    int id;
};

constexpr NamedType types[] = {{"INVALID", CU_MEM_ALLOCATION_TYPE_INVALID},
                               {"PINNED", CU_MEM_ALLOCATION_TYPE_PINNED},
                               {"MANAGED", CU_MEM_ALLOCATION_TYPE_MANAGED},
                               {"MAX", CU_MEM_ALLOCATION_TYPE_MAX}};
constexpr NamedLocation locations[] = {{"NONE", CU_MEM_LOCATION_TYPE_NONE, 0},
                                       {"DEVICE 0", CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                       {"DEVICE 77", CU_MEM_LOCATION_TYPE_DEVICE, 77},
                                       {"DEVICE -1", CU_MEM_LOCATION_TYPE_DEVICE, -1},
                                       {"HOST", CU_MEM_LOCATION_TYPE_HOST, 0},
                                       {"HOST 3", CU_MEM_LOCATION_TYPE_HOST, 3},
                                       {"HOST_NUMA 0", CU_MEM_LOCATION_TYPE_HOST_NUMA, 0},
                                       {"HOST_NUMA 77", CU_MEM_LOCATION_TYPE_HOST_NUMA, 77},
                                       {"HOST_NUMA_CURRENT", CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT, 0}};

void ask_about_attributes(const std::string& kind, CUmemoryPool pool) {
    for (int i = 1; i <= 8; ++i) {
        std::uint64_t value = 0;
        const auto attribute = static_cast<CUmemPool_attribute>(i);
        const std::string question = "attribute " + std::to_string(i) + " of a pool of " + kind;
        if (ask(question.c_str(), [&] { return cuMemPoolGetAttribute(pool, attribute, &value); }).ok()) {
            report(("value of " + question).c_str(), i <= 3 ? value & 0xffffffff : value);
        }
    }
}

void ask_about_default_pools() {
    for (const auto& [type_name, each_type] : types) {
        const auto type = each_type;  // clang++ 14 cannot capture structured bindings
        for (const auto& [location_name, location_type, id] : locations) {
            CUmemLocation location{};
            location.type = location_type;
            location.id = id;
            const std::string kind = std::string(type_name) + ' ' + location_name;
            const auto standard =
                ask(("cuMemGetDefaultMemPool " + kind).c_str(), [&] { return cuMemGetDefaultMemPool(&location, type); });
            const auto current = ask(("cuMemGetMemPool " + kind).c_str(), [&] { return cuMemGetMemPool(&location, type); });
            if (!standard.ok()) continue;
            report((kind + " is the default").c_str(), current.value == standard.value);
            ask_about_attributes("default " + kind, standard.value);
            ask(("cuMemSetMemPool " + kind).c_str(), [&] { return cuMemSetMemPool(&location, type, standard.value); });
            ask(("cuMemSetMemPool null " + kind).c_str(), [&] { return cuMemSetMemPool(&location, type, nullptr); });
            ask(("cuMemPoolDestroy " + kind).c_str(), [&] { return cuMemPoolDestroy(standard.value); });
        }
    }
    CUmemLocation device{};
    device.type = CU_MEM_LOCATION_TYPE_DEVICE;
    ASK(cuMemGetDefaultMemPool(nullptr, CU_MEM_ALLOCATION_TYPE_PINNED));
    ASK(cuMemGetMemPool(nullptr, CU_MEM_ALLOCATION_TYPE_PINNED));
    REPORT(cuMemGetDefaultMemPool(&device, CU_MEM_ALLOCATION_TYPE_PINNED).value == cuDeviceGetDefaultMemPool(0).value);
}

void ask_about_created_pools(CUstream stream) {
    for (const auto& [type_name, each_type] : types) {
        const auto type = each_type;  // clang++ 14 cannot capture structured bindings
        for (const auto& [location_name, location_type, id] : locations) {
            CUmemPoolProps properties{};
            properties.allocType = type;
            properties.location.type = location_type;
            properties.location.id = id;
            const std::string kind = std::string(type_name) + ' ' + location_name;
            const auto pool = ask(("cuMemPoolCreate " + kind).c_str(), [&] { return cuMemPoolCreate(&properties); });
            properties.maxSize = 4 << 20;
            ask(("cuMemPoolCreate with maxSize " + kind).c_str(), [&] { return cuMemPoolCreate(&properties); });
            properties.maxSize = 0;
            for (const auto handles :
                 {CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, CU_MEM_HANDLE_TYPE_WIN32, CU_MEM_HANDLE_TYPE_FABRIC}) {
                properties.handleTypes = handles;
                ask(("cuMemPoolCreate with handle type " + std::to_string(handles) + ' ' + kind).c_str(),
                    [&] { return cuMemPoolCreate(&properties); });
            }
            if (!pool.ok()) continue;
            ask_about_attributes(kind, pool.value);
            CUmemLocation device{};
            device.type = CU_MEM_LOCATION_TYPE_DEVICE;
            const auto access =
                ask(("cuMemPoolGetAccess " + kind).c_str(), [&] { return cuMemPoolGetAccess(pool.value, &device); });
            static_cast<void>(access);
            CUmemAccessDesc grant{device, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
            ask(("cuMemPoolSetAccess " + kind).c_str(), [&] { return cuMemPoolSetAccess(pool.value, &grant, 1); });
            const auto memory = ask(("cuMemAllocFromPoolAsync " + kind).c_str(),
                                    [&] { return cuMemAllocFromPoolAsync(1000, pool.value, stream); });
            if (memory.ok()) ask(("cuMemFreeAsync " + kind).c_str(), [&] { return cuMemFreeAsync(memory.value, stream); });
            ask(("cuDeviceSetMemPool " + kind).c_str(), [&] { return cuDeviceSetMemPool(0, pool.value); });
            ask(("cuMemPoolDestroy created " + kind).c_str(), [&] { return cuMemPoolDestroy(pool.value); });
        }
    }
    ASK(cuMemPoolCreate(nullptr));
}

}  // namespace

void ask_about_pools() {
    use_device();
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUmemoryPool pool = cuDeviceGetDefaultMemPool(0).value;
    ask_about_attributes("an unused default", pool);
    const CUdeviceptr memory = ASK(cuMemAllocAsync(1000, stream)).value;
    ask_about_attributes("a used default", pool);
    ASK(cuMemAllocAsync(0, stream));
    ASK(cuMemAllocAsync(std::size_t{1} << 45, stream));
    ASK(cuMemAllocFromPoolAsync(1000, nullptr, stream));
    ASK(cuMemFreeAsync(memory + 8, stream));
    ASK(cuMemFreeAsync(memory, stream));
    ASK(cuMemFreeAsync(memory, stream));
    ASK(cuMemFreeAsync(0, stream));
    ASK(cuMemFreeAsync(bad_address, stream));
    const CUdeviceptr plain = cuMemAlloc(1000).value;
    ASK(cuMemFreeAsync(plain, stream));
    ASK(cuStreamSynchronize(stream));
    ASK(cuMemFree(ASK(cuMemAllocAsync(1000, nullptr)).value));
    std::uint64_t threshold = 1 << 20;
    ASK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    ASK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, &threshold));
    ASK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &threshold));
    ASK(cuMemPoolSetAttribute(pool, static_cast<CUmemPool_attribute>(99), &threshold));
    threshold = 0;
    ASK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &threshold));
    ASK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, nullptr));
    ASK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, nullptr));
    ASK(cuMemPoolGetAttribute(pool, static_cast<CUmemPool_attribute>(99), &threshold));
    ASK(cuMemPoolGetAttribute(nullptr, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    ASK(cuMemPoolTrimTo(pool, 0));
    ASK(cuMemPoolTrimTo(nullptr, 0));
    ASK(cuMemPoolDestroy(pool));
    ASK(cuMemPoolDestroy(nullptr));
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    ASK(cuMemPoolGetAccess(pool, &access.location));
    ASK(cuMemPoolSetAccess(pool, &access, 1));
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
    ASK(cuMemPoolSetAccess(pool, &access, 1));
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    ASK(cuMemPoolSetAccess(pool, &access, 1));
    ASK(cuMemPoolSetAccess(pool, &access, 0));
    ASK(cuMemPoolSetAccess(pool, nullptr, 1));
    access.location.id = 99;
    ASK(cuMemPoolSetAccess(pool, &access, 1));
    ASK(cuMemPoolGetAccess(pool, &access.location));
    ASK(cuMemPoolGetAccess(pool, nullptr));
    ask_about_default_pools();
    ask_about_created_pools(stream);
}

}  // namespace answers

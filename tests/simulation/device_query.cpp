// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the devices and their attributes. The program is written against <cuda.h>, is linked to libcuda.so.1, and does not use
// cubind. It fails unless the number of devices equals the first argument.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>

namespace {

void check(CUresult status, const char* call) {
    if (status == CUDA_SUCCESS) return;
    const char* name = nullptr;
    cuGetErrorName(status, &name);
    std::fprintf(stderr, "%s: %s\n", call, name);
    std::exit(1);
}

#define CHECK(call) check(call, #call)

void print_attributes(CUdevice device) {
    constexpr int last = CU_DEVICE_ATTRIBUTE_MAX - 1;
    int rejected = 0;
    for (int each = 1; each <= last; ++each) {
        int value = 0;
        if (cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(each), device) != CUDA_SUCCESS) {
            ++rejected;
            continue;
        }
        std::printf("  attribute %d: %d\n", each, value);
    }
    int value = 0;
    if (rejected == 0 && cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX, device) == CUDA_ERROR_INVALID_VALUE) return;
    std::fprintf(stderr, "%d attributes were rejected, or CU_DEVICE_ATTRIBUTE_MAX was accepted\n", rejected);
    std::exit(1);
}

void print_device(CUdevice device) {
    char name[256];
    CHECK(cuDeviceGetName(name, sizeof name, device));
    std::size_t memory = 0;
    CHECK(cuDeviceTotalMem(&memory, device));
    CUuuid uuid;
    CHECK(cuDeviceGetUuid(&uuid, device));
    char bus[32];
    CHECK(cuDeviceGetPCIBusId(bus, sizeof bus, device));
    CUdevice found = -1;
    CHECK(cuDeviceGetByPCIBusId(&found, bus));
    if (found != device) std::exit(1);
    std::printf("device %d: %s, %zu bytes, at %s\n", device, name, memory, bus);
    print_attributes(device);
}

}  // namespace

int main(int argument_count, char** arguments) {
    CHECK(cuInit(0));
    int version = 0;
    CHECK(cuDriverGetVersion(&version));
    int count = 0;
    CHECK(cuDeviceGetCount(&count));
    std::printf("driver %d.%d, %d devices\n", version / 1000, version % 1000 / 10, count);
    for (int i = 0; i < count; ++i) {
        CUdevice device = 0;
        CHECK(cuDeviceGet(&device, i));
        print_device(device);
    }
    for (int from = 0; from < count; ++from) {
        for (int to = 0; to < count; ++to) {
            int can_access = 0;
            CHECK(cuDeviceCanAccessPeer(&can_access, from, to));
            std::printf("device %d %s device %d\n", from, can_access != 0 ? "can access" : "cannot access", to);
        }
    }
    return argument_count == 2 && count == std::atoi(arguments[1]) ? 0 : 1;
}

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

namespace answers {

void ask_about_devices() {
    ASK(cuInit(0));
    ASK(cuDeviceGet(0));
    ASK(cuDeviceGet(-1));
    ASK(cuDeviceGet(99));
    char name[256] = "untouched";
    ASK(cuDeviceGetName(name, sizeof name, 0));
    ASK(cuDeviceGetName(name, 4, 0));
    REPORT(name[3]);
    ASK(cuDeviceGetName(name, 1, 0));
    ASK(cuDeviceGetName(name, 0, 0));
    ASK(cuDeviceGetName(name, -1, 0));
    ASK(cuDeviceGetName(nullptr, 10, 0));
    ASK(cuDeviceGetName(name, sizeof name, 99));
    ASK(cuDeviceGetName(name, sizeof name, -1));
    for (int i = 0; i <= 150; ++i) {
        const auto attribute = static_cast<CUdevice_attribute>(i);
        ask((std::string("cuDeviceGetAttribute ") + std::to_string(i) + ' ' + to_string(attribute)).c_str(),
            [&] { return cuDeviceGetAttribute(attribute, 0); });
    }
    ASK(cuDeviceGetAttribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE, 99));
    ASK(cuDeviceGetAttribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE, -1));
    ASK(cuDeviceGetAttribute(static_cast<CUdevice_attribute>(5000), 0));
    ask("cuDeviceTotalMem(0)", [] { return cubind::Result<CUresult>{cuDeviceTotalMem(0).status}; });
    ASK(cuDeviceTotalMem(99));
    ASK(cuDeviceComputeCapability(0));
    ASK(cuDeviceComputeCapability(99));
    ASK(cuDeviceGetUuid(0));
    ASK(cuDeviceGetUuid(99));
    ASK(cuDeviceGetUuid_v1(0));
    char bus[32] = "untouched";
    ASK(cuDeviceGetPCIBusId(bus, sizeof bus, 0));
    ASK(cuDeviceGetByPCIBusId(bus));
    ASK(cuDeviceGetPCIBusId(bus, 5, 0));
    ASK(cuDeviceGetPCIBusId(bus, 0, 0));
    ASK(cuDeviceGetPCIBusId(nullptr, 20, 0));
    ASK(cuDeviceGetPCIBusId(bus, sizeof bus, 99));
    ASK(cuDeviceGetByPCIBusId("ffff:ff:1f.7"));
    ASK(cuDeviceGetByPCIBusId("nothing"));
    ASK(cuDeviceGetByPCIBusId(nullptr));
    ASK(cuDeviceCanAccessPeer(0, 0));
    ASK(cuDeviceCanAccessPeer(0, 99));
    ASK(cuDeviceGetP2PAttribute(CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));
    ASK(cuDeviceGetP2PAttribute(CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 99));
    ASK(cuDeviceGetP2PAttribute(static_cast<CUdevice_P2PAttribute>(99), 0, 0));
    ASK(cuDeviceGetDefaultMemPool(0));
    ASK(cuDeviceGetDefaultMemPool(99));
    ASK(cuDeviceGetMemPool(0));
    ASK(cuDeviceGetMemPool(-1));
    ASK(cuDeviceSetMemPool(0, nullptr));
    ASK(cuDeviceSetMemPool(99, nullptr));
    for (int i = 0; i <= 4; ++i) {
        unsigned long long value = 99;
        const auto attribute = static_cast<CUgraphMem_attribute>(i);
        ask(("cuDeviceGetGraphMemAttribute " + std::to_string(i)).c_str(),
            [&] { return cuDeviceGetGraphMemAttribute(0, attribute, &value); });
        report(("value of graph memory attribute " + std::to_string(i)).c_str(), value);
    }
    unsigned long long zero = 0;
    unsigned long long one = 1;
    ASK(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &zero));
    ASK(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &one));
    ASK(cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &zero));
    ASK(cuDeviceGetGraphMemAttribute(99, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &zero));
    ASK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, nullptr));
    ASK(cuDeviceGraphMemTrim(0));
    ASK(cuDeviceGraphMemTrim(99));
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cuDevicePrimaryCtxGetState(99));
}

}  // namespace answers

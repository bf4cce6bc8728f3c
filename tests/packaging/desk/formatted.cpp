// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Compares texts of std::format() with the expected ones. The status is the number of differences.
#include <cubind/driver.hpp>
#include <cubind/driver/format.hpp>
#include <cubind/nvml/format.hpp>
#include <cubind/runtime/format.hpp>

#include <cstdio>
#include <cstring>
#include <format>
#include <string>

using namespace cubind;

static int differences = 0;

static void expect(const std::string& text, const std::string& expected) {
    if (text == expected) return;
    std::printf("\"%s\" is not \"%s\"\n", text.c_str(), expected.c_str());
    ++differences;
}

int main() {
    using namespace driver;
    // Enums
    expect(std::format("{}", CUDA_ERROR_INVALID_VALUE), "CUDA_ERROR_INVALID_VALUE");
    expect(std::format("[{:>14}]", CUDA_SUCCESS), "[  CUDA_SUCCESS]");
    expect(std::format("{}", static_cast<CUresult>(12345)), "unrecognized CUresult (12345)");
    expect(std::format("{}", CU_MEM_LOCATION_TYPE_DEVICE), "CU_MEM_LOCATION_TYPE_DEVICE");
    expect(std::format("{}", runtime::cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation");

    // Results
    using Handle = decltype(cuStreamCreate(0));
    expect(std::format("{}", decltype(cuInit(0)){CUDA_SUCCESS}), "{status = CUDA_SUCCESS}");
    expect(std::format("{}", decltype(cuDriverGetVersion()){CUDA_SUCCESS, 13050}), "{status = CUDA_SUCCESS, value = 13050}");
    expect(std::format("{}", decltype(cuMemGetInfo()){CUDA_SUCCESS, 1, 2}), "{status = CUDA_SUCCESS, value1 = 1, value2 = 2}");
    expect(std::format("{}", Handle{CUDA_SUCCESS, reinterpret_cast<CUstream>(4096)}), "{status = CUDA_SUCCESS, value = 0x1000}");

    // Records: nested ones, arrays, a union, bit-fields
    const CUmemLocation location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = 3};
    const CUmemAccessDesc access = {.location = location, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    expect(std::format("{}", access),
           "{location = {type = CU_MEM_LOCATION_TYPE_DEVICE, id = 3, localized = {deviceId = 3, localityDomainId = 0}}, "
           "flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE}");
    CUuuid uuid{};
    expect(std::format("{}", uuid), "{}");
    std::memcpy(uuid.bytes, "id", 2);
    expect(std::format("{}", uuid), "{bytes = \"id\"}");
    uuid.bytes[15] = 1;
    expect(std::format("{}", uuid), "{bytes = [105, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]}");
    CUlaunchAttribute attribute{};
    attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attribute.value.priority = 7;
    const std::string text = std::format("{}", attribute);
    expect(text.substr(0, text.find(',')), "{id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE");
    expect(text.find("priority = 7") != std::string::npos ? "priority" : text, "priority");
    expect(text.find("clusterDim = {x = 7, y = 0, z = 0}") != std::string::npos ? "clusterDim" : text, "clusterDim");
    expect(std::format("{}", nvml::nvmlMemory_t{.total = 3, .free = 1, .used = 2}), "{total = 3, free = 1, used = 2}");
    return differences;
}

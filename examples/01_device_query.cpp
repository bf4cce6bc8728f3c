// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Queries the same properties of every GPU from the driver API and the runtime API and prints them side by side.
// It shows both ways to handle a result: a structured binding, which never throws, and check(), which returns the value
// and throws cubind::Error if the call failed.

#include <cubind/runtime.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "example.hpp"

namespace driver = cubind::driver;
namespace runtime = cubind::runtime;
using cubind::check;

namespace {

// ---- values as text ------------------------------------------------------------------------------------------------

std::string version(int number) {  // 13040 is 13.4
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string capability(int major, int minor) {
    return std::to_string(major) + "." + std::to_string(minor);
}

std::string bytes(std::size_t count) {
    const char* const units[] = {"bytes", "KiB", "MiB", "GiB"};
    double amount = static_cast<double>(count);
    int unit = 0;
    for (; amount >= 1024 && unit < 3; ++unit) amount /= 1024;
    char text[64];
    std::snprintf(text, sizeof text, "%zu (%.1f %s)", count, amount, units[unit]);
    return text;
}

std::string bytes(int count) {
    return bytes(static_cast<std::size_t>(count));
}

std::string clock(int kilohertz) {
    return std::to_string(kilohertz / 1000) + " MHz";
}

std::string sizes(int x, int y, int z) {
    return std::to_string(x) + " x " + std::to_string(y) + " x " + std::to_string(z);
}

std::string uuid(const char (&id)[16]) {
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(id[i]));
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += digits;
    }
    return text;
}

// ---- the table -----------------------------------------------------------------------------------------------------

struct Row {
    const char* property;
    std::string from_driver;
    std::string from_runtime;
};

// Prints the rows and returns whether both APIs returned the same values.
bool print(const std::vector<Row>& rows) {
    bool all_agree = true;
    std::printf("  %-22s %-42s %-42s %s\n", "", "driver API", "runtime API", "same");
    for (const Row& row : rows) {
        const bool agree = row.from_driver == row.from_runtime;
        all_agree = all_agree && agree;
        std::printf("  %-22s %-42s %-42s %s\n", row.property, row.from_driver.c_str(), row.from_runtime.c_str(),
                    agree ? "yes" : "NO");
    }
    return all_agree;
}

std::vector<Row> describe_device(int ordinal) {
    // The driver API returns one property per call.
    const driver::CUdevice device = check(driver::cuDeviceGet(ordinal));
    const auto attribute = [&](driver::CUdevice_attribute which) { return check(driver::cuDeviceGetAttribute(which, device)); };
    char name[256] = "";  // memory of the caller remains a parameter
    check(driver::cuDeviceGetName(name, sizeof name, device));

    // The runtime API fills one large struct. A few properties require one call each in this API, too.
    const runtime::cudaDeviceProp properties = check(runtime::cudaGetDeviceProperties(ordinal));
    const int runtime_clock = check(runtime::cudaDeviceGetAttribute(runtime::cudaDevAttrClockRate, ordinal));

    // Limits belong to a context. The runtime makes the device's primary context current on this thread and creates it if
    // needed. The driver API works on the current context and therefore returns the limits of the same context.
    check(runtime::cudaSetDevice(ordinal));

    return {
        {"name", name, properties.name},
        {"uuid", uuid(check(driver::cuDeviceGetUuid(device)).bytes), uuid(properties.uuid.bytes)},
        {"compute capability",
         capability(attribute(driver::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                    attribute(driver::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)),
         capability(properties.major, properties.minor)},
        {"memory", bytes(check(driver::cuDeviceTotalMem(device))), bytes(properties.totalGlobalMem)},
        {"multiprocessors", std::to_string(attribute(driver::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)),
         std::to_string(properties.multiProcessorCount)},
        {"clock", clock(attribute(driver::CU_DEVICE_ATTRIBUTE_CLOCK_RATE)), clock(runtime_clock)},
        {"L2 cache", bytes(attribute(driver::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)), bytes(properties.l2CacheSize)},
        {"threads of a warp", std::to_string(attribute(driver::CU_DEVICE_ATTRIBUTE_WARP_SIZE)),
         std::to_string(properties.warpSize)},
        {"threads of a block", std::to_string(attribute(driver::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)),
         std::to_string(properties.maxThreadsPerBlock)},
        {"largest block",
         sizes(attribute(driver::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X), attribute(driver::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
               attribute(driver::CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)),
         sizes(properties.maxThreadsDim[0], properties.maxThreadsDim[1], properties.maxThreadsDim[2])},
        {"largest grid",
         sizes(attribute(driver::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X), attribute(driver::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
               attribute(driver::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)),
         sizes(properties.maxGridSize[0], properties.maxGridSize[1], properties.maxGridSize[2])},
        {"shared memory a block", bytes(attribute(driver::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)),
         bytes(properties.sharedMemPerBlock)},
        {"registers of a block", std::to_string(attribute(driver::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK)),
         std::to_string(properties.regsPerBlock)},
        {"stack limit a thread", bytes(check(driver::cuCtxGetLimit(driver::CU_LIMIT_STACK_SIZE))),
         bytes(check(runtime::cudaDeviceGetLimit(runtime::cudaLimitStackSize)))},
        {"heap limit in kernels", bytes(check(driver::cuCtxGetLimit(driver::CU_LIMIT_MALLOC_HEAP_SIZE))),
         bytes(check(runtime::cudaDeviceGetLimit(runtime::cudaLimitMallocHeapSize)))},
    };
}

int device_query() {
    const example::Gpu gpu = example::first_gpu();
    if (!gpu.usable) return example::skip(gpu);

    // Without exceptions: the status is the first element, followed by the values. The status is an enum of the library;
    // to_string() returns its name and describe() its meaning.
    auto [status, count] = driver::cuDeviceGetCount();
    if (status != driver::CUDA_SUCCESS) {
        std::fprintf(stderr, "cuDeviceGetCount: %s, %s\n", to_string(status), describe(status));
        return example::failed;
    }
    auto [runtime_status, runtime_count] = runtime::cudaGetDeviceCount();
    if (runtime_status != runtime::cudaSuccess) {
        // If the library was not found, last_failure() has the list of places that were searched.
        std::fprintf(stderr, "cudaGetDeviceCount: %s, %s\n%s\n", to_string(runtime_status), describe(runtime_status),
                     cubind::last_failure().detail);
        return example::failed;
    }

    // With exceptions: check() returns only the value.
    std::printf("Runtime library: CUDA %s\n\n", version(check(runtime::cudaRuntimeGetVersion())).c_str());
    bool all_agree = print({
        {"newest CUDA supported", version(check(driver::cuDriverGetVersion())), version(check(runtime::cudaDriverGetVersion()))},
        {"number of GPUs", std::to_string(count), std::to_string(runtime_count)},
    });
    for (int ordinal = 0; ordinal < count && ordinal < runtime_count; ++ordinal) {
        std::printf("\nGPU %d\n", ordinal);
        all_agree = print(describe_device(ordinal)) && all_agree;
    }
    std::puts(all_agree ? "\nBoth APIs agree." : "\nThe APIs do NOT agree.");
    return example::verdict(all_agree);
}

}  // namespace

int main() {
    return example::run(device_query);
}

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Passes arguments from the host to a kernel: scalars of several types, pointers, a struct by value and the same struct by
// pointer. The kernel writes all arguments into a report in device memory, and the host compares the report with the
// values that it passed. The program also queries the offset and the size of each parameter, which the driver uses to copy
// the arguments.

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "compile.hpp"
#include "example.hpp"

namespace driver = cubind::driver;
using cubind::check;

namespace {

// Declares the structs on the host and stores their text for the kernel's source, so that both sides use the same
// declaration. Both compilers use the same layout, including padding: Settings has 32 bytes on the host and on the GPU.
#define FOR_HOST_AND_KERNEL(...) \
    __VA_ARGS__                  \
    const char* const structs = #__VA_ARGS__

FOR_HOST_AND_KERNEL(
    struct Settings {
        char tag;
        double scale;
        int offset[3];
        float weight;
    };
    struct Report {
        bool flag;
        signed char tiny;
        short medium;
        int number;
        unsigned long long big;
        float single;
        double precise;
        int sum;
        Settings by_value;
        Settings by_pointer;
    };);
static_assert(sizeof(Settings) == 32);

const char* const kernel_source = R"(
extern "C" __global__ void fill_report(bool flag, signed char tiny, short medium, int number, unsigned long long big,
                                       float single, double precise, const int* values, int value_count,
                                       Settings settings, const Settings* more_settings, Report* report)
{
    report->flag = flag;
    report->tiny = tiny;
    report->medium = medium;
    report->number = number;
    report->big = big;
    report->single = single;
    report->precise = precise;
    report->sum = 0;
    for (int i = 0; i < value_count; ++i) {
        report->sum += values[i];
    }
    report->by_value = settings;
    report->by_pointer = *more_settings;
}
)";

bool all_right = true;

template <class T>
void compare(const std::string& what, T sent, T received) {
    const bool equal = sent == received;
    all_right = all_right && equal;
    std::printf("  %-24s %22s %22s  %s\n", what.c_str(), std::to_string(sent).c_str(), std::to_string(received).c_str(),
                equal ? "yes" : "NO");
}

void compare_settings(const std::string& what, const Settings& sent, const Settings& received) {
    compare(what + ": tag", sent.tag, received.tag);
    compare(what + ": scale", sent.scale, received.scale);
    for (std::size_t i = 0; i < 3; ++i) {
        compare(what + ": offset[" + std::to_string(i) + "]", sent.offset[i], received.offset[i]);
    }
    compare(what + ": weight", sent.weight, received.weight);
}

// Prints the offsets and sizes of the kernel's parameters as the driver reports them. `sizes` has the sizes of the argument
// variables.
void compare_layout(driver::CUfunction kernel, const std::vector<std::size_t>& sizes) {
    if (!driver::has(driver::cuFuncGetParamInfo)) {
        std::printf("This driver cannot report the layout of parameters, which requires CUDA %s or newer.\n",
                    driver::available_since(driver::cuFuncGetParamInfo));
        return;
    }
    std::printf("  %9s %8s %8s %22s  %s\n", "parameter", "offset", "size", "size of the variable", "same");
    for (std::size_t index = 0; index < sizes.size(); ++index) {
        const auto [status, offset, size] = driver::cuFuncGetParamInfo(kernel, index);
        const bool right = status == driver::CUDA_SUCCESS && size == sizes[index];
        all_right = all_right && right;
        const char* const mark = right ? "yes" : status == driver::CUDA_SUCCESS ? "NO" : to_string(status);
        std::printf("  %9zu %8zu %8zu %22zu  %s\n", index, offset, size, sizes[index], mark);
    }
}

int kernel_arguments() {
    const example::Gpu gpu = example::first_gpu();
    if (!gpu.usable) return example::skip(gpu);

    const std::string source = std::string(structs) + kernel_source;
    const std::vector<char> ptx =
        example::compile(source.c_str(), "fill_report.cu", {"-arch=compute_" + gpu.architecture}, example::Output::ptx);
    check(driver::cuCtxSetCurrent(check(driver::cuDevicePrimaryCtxRetain(gpu.device))));
    const driver::CUmodule code = example::load_ptx(ptx, "NVRTC", "CUBIND_NVRTC_LIBRARY");
    const driver::CUfunction kernel = check(driver::cuModuleGetFunction(code, "fill_report"));

    // The targets of pointers must be in device memory before the launch.
    std::vector<int> host_values(100);
    std::iota(host_values.begin(), host_values.end(), 1);
    const Settings host_settings = {'p', -0.125, {7, -8, 9}, 1024.5F};
    driver::CUdeviceptr values = check(driver::cuMemAlloc(host_values.size() * sizeof(int)));
    driver::CUdeviceptr more_settings = check(driver::cuMemAlloc(sizeof(Settings)));
    driver::CUdeviceptr report = check(driver::cuMemAlloc(sizeof(Report)));
    check(driver::cuMemcpyHtoD(values, host_values.data(), host_values.size() * sizeof(int)));
    check(driver::cuMemcpyHtoD(more_settings, &host_settings, sizeof(Settings)));
    check(driver::cuMemsetD8(report, 0, sizeof(Report)));

    // One variable per parameter, with exactly the parameter's type. From each address in the array, the driver copies as many
    // bytes as the kernel declares. It does not check types: an int that is passed for a double is not detected.
    bool flag = true;
    signed char tiny = -7;
    short medium = -12345;
    int number = -1234567890;
    unsigned long long big = 0xFEDCBA9876543210ULL;
    float single = 0.5F;
    double precise = 3.141592653589793;
    int value_count = static_cast<int>(host_values.size());
    Settings settings = {'v', 2.5, {1, -2, 3}, 0.75F};

    // The array has the address of each variable. For a pointer, it is the address of the variable that holds the device
    // address. cuLaunchKernel copies the arguments before it returns, so the array and the variables may be destroyed after
    // it, even if the kernel has not run. The memory that `values` points to must live until the kernel has completed.
    void* arguments[] = {&flag,    &tiny,   &medium,      &number,   &big,           &single,
                         &precise, &values, &value_count, &settings, &more_settings, &report};
    check(driver::cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));

    Report received = {};
    check(driver::cuMemcpyDtoH(&received, report, sizeof received));  // in the same stream, so it waits for the kernel

    std::printf("  %-24s %22s %22s  %s\n", "argument", "sent", "received", "same");
    compare("bool", flag, received.flag);
    compare("signed char", tiny, received.tiny);
    compare("short", medium, received.medium);
    compare("int", number, received.number);
    compare("unsigned long long", big, received.big);
    compare("float", single, received.single);
    compare("double", precise, received.precise);
    compare("const int* (the sum)", std::accumulate(host_values.begin(), host_values.end(), 0), received.sum);
    compare_settings("Settings", settings, received.by_value);
    compare_settings("const Settings*", host_settings, received.by_pointer);
    std::puts("");
    compare_layout(kernel, {sizeof flag, sizeof tiny, sizeof medium, sizeof number, sizeof big, sizeof single, sizeof precise,
                            sizeof values, sizeof value_count, sizeof settings, sizeof more_settings, sizeof report});

    check(driver::cuMemFree(report));
    check(driver::cuMemFree(more_settings));
    check(driver::cuMemFree(values));
    check(driver::cuModuleUnload(code));
    check(driver::cuDevicePrimaryCtxRelease(gpu.device));
    return example::verdict(all_right);
}

}  // namespace

int main() {
    return example::run(kernel_arguments);
}

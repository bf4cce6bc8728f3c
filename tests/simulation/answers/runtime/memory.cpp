// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <utility>

#include "runtime/groups.hpp"

namespace answers {

namespace {

// 2 MiB is a multiple of every allocation granularity, so that the end of the allocation is also the end of its last page.
constexpr std::size_t size = std::size_t{2} << 20;

void ask_about_fills(void* memory, cudaStream_t stream) {
    char* const bytes = static_cast<char*>(memory);
    ASK(cudaMemset(memory, 1, size));
    ASK(cudaMemset(memory, 1, 0));
    ASK(cudaMemset(memory, 999, 16));
    ASK(cudaMemset(memory, -1, 16));
    ASK(cudaMemset(memory, 1, size + 1));
    ASK(cudaMemset(nullptr, 1, 0));
    ASK(cudaMemset(nullptr, 1, 1));
    ASK(cudaMemset(bad_pointer, 1, 0));
    ASK(cudaMemset(bad_pointer, 1, 1));
    ASK(cudaMemset(bytes + size - 1, 1, 1));
    ASK(cudaMemset2D(memory, 64, 1, 32, 4));
    ASK(cudaMemset2D(memory, 16, 1, 32, 4));
    ASK(cudaMemset2D(memory, 64, 1, 0, 4));
    ASK(cudaMemset2D(memory, 64, 1, 32, 0));
    ASK(cudaMemset2D(memory, 16, 1, 32, 0));
    ASK(cudaMemset2D(memory, 16, 1, 32, 1));
    ASK(cudaMemset2D(memory, 63, 1, 31, 4));
    ASK(cudaMemset2D(bad_pointer, 64, 1, 32, 4));
    ASK(cudaMemset3D({memory, 64, 32, 8}, 1, {32, 4, 2}));
    ASK(cudaMemset3D({memory, 64, 32, 8}, 1, {64, 4, 2}));
    ASK(cudaMemset3D({memory, 64, 32, 8}, 1, {65, 4, 2}));
    ASK(cudaMemset3D({memory, 64, 32, 8}, 1, {32, 9, 2}));
    ASK(cudaMemset3D({memory, 64, 32, 8}, 1, {32, 0, 2}));
    ASK(cudaMemset3D({memory, 64, 32, 8}, 1, {32, 4, 0}));
    ASK(cudaMemset3D({memory, 16, 32, 8}, 1, {32, 4, 2}));
    ASK(cudaMemset3D({memory, 64, 0, 0}, 1, {32, 1, 1}));
    ASK(cudaMemset3D({bad_pointer, 64, 32, 8}, 1, {32, 4, 2}));
    ASK(cudaMemset3D({nullptr, 0, 0, 0}, 1, {0, 0, 0}));
    ASK(cudaMemsetAsync(memory, 1, size, stream));
    ASK(cudaMemsetAsync(bad_pointer, 1, 16, stream));
    ASK(cudaMemset2DAsync(memory, 64, 1, 32, 4, stream));
    ASK(cudaMemset2DAsync(memory, 16, 1, 32, 4, stream));
    ASK(cudaMemset3DAsync({memory, 64, 32, 8}, 1, {32, 4, 2}, stream));
    ASK(cudaMemset3DAsync({memory, 64, 32, 8}, 1, {65, 4, 2}, stream));
    ASK(cudaStreamSynchronize(stream));
}

}  // namespace

void ask_about_runtime_memory() {
    ASK(cudaMalloc(0));
    void* const memory = ASK(cudaMalloc(size)).value;
    ASK(cudaMalloc(std::size_t{1} << 60));
    ASK(cudaMalloc(static_cast<std::size_t>(-1)));
    ASK(cudaPointerGetAttributes(memory));
    ASK(cudaPointerGetAttributes(static_cast<char*>(memory) + size - 1));
    ASK(cudaPointerGetAttributes(static_cast<char*>(memory) + size));
    ASK(cudaPointerGetAttributes(bad_pointer));
    ASK(cudaPointerGetAttributes(nullptr));
    int local = 0;
    ASK(cudaPointerGetAttributes(&local));
    ASK(cudaMallocPitch(100, 10));
    ASK(cudaMallocPitch(512, 10));
    ASK(cudaMallocPitch(513, 10));
    ASK(cudaMallocPitch(0, 10));
    ASK(cudaMallocPitch(100, 0));
    ASK(cudaMallocPitch(std::size_t{1} << 40, 10));
    ASK(cudaMalloc3D({100, 10, 4}));
    ASK(cudaMalloc3D({0, 10, 4}));
    ASK(cudaMalloc3D({100, 0, 4}));
    ASK(cudaMalloc3D({100, 10, 0}));
    ASK(cudaMalloc3D({std::size_t{1} << 40, 10, 4}));
    ASK(cudaMalloc3D({std::size_t{1} << 33, std::size_t{1} << 33, 4}));
    ask("cudaMemGetInfo()", [] { return cubind::Result<cudaError_t>{cudaMemGetInfo().status}; });
    const cudaStream_t stream = cudaStreamCreateWithFlags(cudaStreamNonBlocking).value;
    ask_about_fills(memory, stream);
    ASK(cudaFree(static_cast<char*>(memory) + 16));
    ASK(cudaFree(&local));
    ASK(cudaFree(bad_pointer));
    ASK(cudaFree(nullptr));
    ASK(cudaFree(memory));
    ASK(cudaFree(memory));
    ASK(cudaGetLastError());
    ASK(cudaPointerGetAttributes(memory));
}

void ask_about_runtime_managed_memory() {
    constexpr std::size_t bytes = 4096;
    ASK(cudaMallocManaged(0));
    ASK(cudaMallocManaged(bytes, 0));
    ASK(cudaMallocManaged(bytes, cudaMemAttachSingle));
    ASK(cudaMallocManaged(bytes, 99));
    ASK(cudaMallocManaged(bytes, cudaMemAttachHost));
    void* const memory = ASK(cudaMallocManaged(bytes, cudaMemAttachGlobal)).value;
    ASK(cudaPointerGetAttributes(memory));
    const cudaMemLocation device{cudaMemLocationTypeDevice, {0}};
    const cudaMemLocation host{cudaMemLocationTypeHost, {0}};
    const cudaMemLocation wrong_device{cudaMemLocationTypeDevice, {99}};
    const cudaMemLocation no_location{};
    const cudaMemLocation unknown{static_cast<cudaMemLocationType>(99), {0}};
    for (const auto& [name, location] :
         {std::pair{"device", device}, std::pair{"host", host}, std::pair{"device 99", wrong_device},
          std::pair{"none", no_location}, std::pair{"unknown", unknown}}) {
        for (int i = 0; i <= 7; ++i) {
            ask((std::string("cudaMemAdvise ") + std::to_string(i) + ' ' + name).c_str(),
                [&, l = location] { return cudaMemAdvise(memory, bytes, static_cast<cudaMemoryAdvise>(i), l); });
        }
        ask((std::string("cudaMemPrefetchAsync ") + name).c_str(),
            [&, l = location] { return cudaMemPrefetchAsync(memory, bytes, l, 0); });
    }
    ASK(cudaMemPrefetchAsync(memory, bytes, device, 99));
    ASK(cudaMemPrefetchAsync(memory, 0, device, 0));
    ASK(cudaMemPrefetchAsync(bad_pointer, bytes, device, 0));
    ASK(cudaMemAdvise(memory, 0, cudaMemAdviseSetReadMostly, device));
    ASK(cudaMemAdvise(bad_pointer, bytes, cudaMemAdviseSetReadMostly, device));
    ASK(cudaDeviceSynchronize());
    for (int i = 0; i <= 9; ++i) {
        int value[2] = {77, 77};
        const auto attribute = static_cast<cudaMemRangeAttribute>(i);
        ask(("cudaMemRangeGetAttribute " + std::to_string(i)).c_str(),
            [&] { return cudaMemRangeGetAttribute(value, sizeof(int), attribute, memory, bytes); });
        report(("value of range attribute " + std::to_string(i)).c_str(), value[0]);
    }
    int value = 0;
    ASK(cudaMemRangeGetAttribute(&value, 3, cudaMemRangeAttributeReadMostly, memory, bytes));
    ASK(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, memory, 0));
    ASK(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, bad_pointer, bytes));
    void* device_memory = cudaMalloc(bytes).value;
    ASK(cudaMemPrefetchAsync(device_memory, bytes, device, 0));
    ASK(cudaMemAdvise(device_memory, bytes, cudaMemAdviseSetReadMostly, device));
    void* data[] = {&value};
    std::size_t sizes[] = {sizeof value};
    cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeReadMostly};
    ASK(cudaMemRangeGetAttributes(data, sizes, attributes, 1, memory, bytes));
    ASK(cudaMemRangeGetAttributes(data, sizes, attributes, 0, memory, bytes));
    ASK(cudaFree(memory));
    ASK(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, memory, bytes));
}

}  // namespace answers

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "runtime/groups.hpp"

namespace answers {

namespace {

constexpr std::size_t size = std::size_t{2} << 20;
constexpr std::size_t row = 64;  // the pitch of a host buffer

char host[4096];
char other_host[4096];

void ask_about_linear_copies(void* a, void* b, cudaStream_t stream) {
    char* const end = static_cast<char*>(a) + size;
    ASK(cudaMemcpy(a, host, 256, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(host, a, 256, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(a, b, size, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy(host, other_host, 256, cudaMemcpyHostToHost));
    ASK(cudaMemcpy(a, host, 256, cudaMemcpyDefault));
    ASK(cudaMemcpy(host, a, 256, cudaMemcpyDefault));
    ASK(cudaMemcpy(a, b, 256, cudaMemcpyDefault));
    ASK(cudaMemcpy(host, other_host, 256, cudaMemcpyDefault));
    ASK(cudaMemcpy(a, host, 256, static_cast<cudaMemcpyKind>(9)));
    ASK(cudaMemcpy(a, host, 256, static_cast<cudaMemcpyKind>(0x7fffffff)));
    ASK(cudaMemcpy(a, host, 0, static_cast<cudaMemcpyKind>(9)));
    ASK(cudaMemcpy(a, host, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(a, nullptr, 0, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault));
    ASK(cudaMemcpy(a, a, 256, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy(a, static_cast<char*>(a) + 16, 256, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy(bad_pointer, host, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(host, bad_pointer, 16, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(a, bad_pointer, 16, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy(end - 16, host, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(nullptr, host, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(host, nullptr, 16, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpyAsync(a, host, 256, cudaMemcpyHostToDevice, stream));
    ASK(cudaMemcpyAsync(host, a, 256, cudaMemcpyDeviceToHost, stream));
    ASK(cudaMemcpyAsync(a, b, size, cudaMemcpyDeviceToDevice, stream));
    ASK(cudaMemcpyAsync(a, b, size, cudaMemcpyDefault, stream));
    ASK(cudaMemcpyAsync(host, other_host, 256, cudaMemcpyHostToHost, stream));
    ASK(cudaMemcpyAsync(a, b, size, static_cast<cudaMemcpyKind>(9), stream));
    ASK(cudaMemcpyAsync(a, bad_pointer, 16, cudaMemcpyDeviceToDevice, stream));
    ASK(cudaMemcpyAsync(a, b, 0, cudaMemcpyDeviceToDevice, stream));
    ASK(cudaStreamSynchronize(stream));
    ASK(cudaMemcpyPeer(a, 0, b, 0, 16));
    ASK(cudaMemcpyPeer(a, 0, b, 99, 16));
    ASK(cudaMemcpyPeer(a, 99, b, 0, 16));
    ASK(cudaMemcpyPeer(a, 0, b, 0, 0));
    ASK(cudaMemcpyPeerAsync(a, 0, b, 0, 16, stream));
    ASK(cudaMemcpyPeerAsync(a, -1, b, 0, 16, stream));
    ASK(cudaStreamSynchronize(stream));
}

void ask_about_2d_copies(void* a, void* b, cudaStream_t stream) {
    ASK(cudaMemcpy2D(a, row, b, row, 32, 4, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2D(a, row, host, row, 32, 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(host, row, a, row, 32, 4, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy2D(host, row, other_host, row, 32, 4, cudaMemcpyHostToHost));
    ASK(cudaMemcpy2D(a, row, host, row, 32, 4, cudaMemcpyDefault));
    ASK(cudaMemcpy2D(a, row, b, row, 32, 4, static_cast<cudaMemcpyKind>(9)));
    ASK(cudaMemcpy2D(a, 16, b, row, 32, 4, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2D(a, row, b, 16, 32, 4, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2D(a, 16, b, row, 32, 1, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2D(a, 16, b, 16, 32, 1, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2D(a, 0, b, 0, 32, 1, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2D(a, 16, b, 16, 32, 0, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2D(a, row, b, row, 0, 4, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2D(a, row, b, row, 32, 0, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2D(a, std::size_t{1} << 31, b, row, 32, 4, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2D(bad_pointer, row, b, row, 32, 4, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2D(nullptr, row, b, row, 32, 4, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2DAsync(a, row, b, row, 32, 4, cudaMemcpyDeviceToDevice, stream));
    ASK(cudaMemcpy2DAsync(a, 16, b, row, 32, 4, cudaMemcpyDeviceToDevice, stream));
    ASK(cudaMemcpy2DAsync(a, row, b, row, 32, 4, static_cast<cudaMemcpyKind>(9), stream));
    ASK(cudaStreamSynchronize(stream));
}

void ask_about_3d_copies(void* a, void* b, cudaStream_t stream) {
    cudaMemcpy3DParms copy{};
    copy.srcPtr = {b, row, 32, 8};
    copy.dstPtr = {a, row, 32, 8};
    copy.extent = {32, 4, 2};
    copy.kind = cudaMemcpyDeviceToDevice;
    ASK(cudaMemcpy3D(&copy));
    ASK(cudaMemcpy3DAsync(&copy, stream));
    ASK(cudaStreamSynchronize(stream));
    copy.kind = cudaMemcpyDefault;
    ASK(cudaMemcpy3D(&copy));
    copy.kind = static_cast<cudaMemcpyKind>(9);
    ASK(cudaMemcpy3D(&copy));
    ASK(cudaMemcpy3DAsync(&copy, stream));
    copy.kind = cudaMemcpyDeviceToDevice;
    copy.extent.depth = 0;
    ASK(cudaMemcpy3D(&copy));
    copy.extent = {65, 4, 2};
    ASK(cudaMemcpy3D(&copy));
    copy.extent = {64, 4, 2};
    ASK(cudaMemcpy3D(&copy));
    copy.extent = {32, 9, 2};
    ASK(cudaMemcpy3D(&copy));
    copy.extent = {32, 4, 2};
    copy.srcPos = {48, 0, 0};
    ASK(cudaMemcpy3D(&copy));
    copy.srcPos = {0, 6, 0};
    ASK(cudaMemcpy3D(&copy));
    copy.srcPos = {0, 0, 1 << 20};
    ASK(cudaMemcpy3D(&copy));
    copy.srcPos = {};
    copy.srcPtr.pitch = 16;
    ASK(cudaMemcpy3D(&copy));
    copy.srcPtr.pitch = 0;
    ASK(cudaMemcpy3D(&copy));
    copy.srcPtr = {b, row, 0, 0};
    ASK(cudaMemcpy3D(&copy));
    copy.srcPtr = {};
    ASK(cudaMemcpy3D(&copy));
    copy.srcPtr = {bad_pointer, row, 32, 8};
    ASK(cudaMemcpy3D(&copy));
    cudaMemcpy3DPeerParms peer{};
    peer.srcPtr = {b, row, 32, 8};
    peer.dstPtr = {a, row, 32, 8};
    peer.extent = {32, 4, 2};
    ASK(cudaMemcpy3DPeer(&peer));
    ASK(cudaMemcpy3DPeerAsync(&peer, stream));
    peer.srcDevice = 99;
    ASK(cudaMemcpy3DPeer(&peer));
    ASK(cudaStreamSynchronize(stream));
}

void ask_about_batches(void* a, void* b, cudaStream_t stream) {
    void* to[] = {a, static_cast<char*>(a) + 1024};
    const void* from[] = {b, static_cast<char*>(b) + 1024};
    std::size_t sizes[] = {512, 512};
    cudaMemcpyAttributes attributes{};
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    std::size_t first = 0;
    ASK(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, stream));
    ASK(cudaMemcpyBatchAsync(to, from, sizes, 0, &attributes, &first, 1, stream));
    ASK(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 0, stream));
    ASK(cudaStreamSynchronize(stream));
    ASK(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, nullptr));
    first = 1;
    ASK(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, stream));
    first = 0;
    attributes.srcAccessOrder = static_cast<cudaMemcpySrcAccessOrder>(9);
    ASK(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, stream));
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderAny;
    attributes.flags = 99;
    ASK(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, stream));
    attributes.flags = 0;
    sizes[1] = 0;
    ASK(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, stream));
    ASK(cudaMemcpyWithAttributesAsync(a, b, 512, &attributes, stream));
    ASK(cudaMemcpy3DBatchAsync(0, nullptr, 0, stream));
    ASK(cudaStreamSynchronize(stream));
}

// The last questions, because the library might access device memory as host memory.
void ask_about_wrong_directions(void* a, void* b) {
    ASK(cudaMemcpy(a, b, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(a, b, 16, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(host, a, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(a, host, 16, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(a, host, 16, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy(host, a, 16, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy(host, other_host, 16, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy(host, other_host, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2D(a, row, host, row, 32, 4, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2D(a, row, b, row, 32, 4, cudaMemcpyHostToDevice));
    ASK(cudaGetLastError());
    ASK(cudaMemcpy3D(nullptr));
    ASK(cudaMemcpy(a, nullptr, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy(nullptr, a, 16, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy(a, b, 16, cudaMemcpyHostToHost));
    ASK(cudaMemcpy(a, host, 16, cudaMemcpyHostToHost));
}

}  // namespace

void ask_about_runtime_copies() {
    const cudaStream_t stream = cudaStreamCreateWithFlags(cudaStreamNonBlocking).value;
    void* const a = cudaMalloc(size).value;
    void* const b = cudaMalloc(size).value;
    ask_about_linear_copies(a, b, stream);
    ask_about_2d_copies(a, b, stream);
    ask_about_3d_copies(a, b, stream);
    ask_about_batches(a, b, stream);
    ask_about_wrong_directions(a, b);
}

}  // namespace answers

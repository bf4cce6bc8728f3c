// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/groups.hpp"

namespace answers {

namespace {

void do_nothing_with_status(cudaStream_t, cudaError_t, void*) {}

void ask_about_attributes(cudaStream_t stream, cudaStream_t other) {
    for (int i = 0; i <= 17; ++i) {
        const auto attribute = static_cast<cudaLaunchAttributeID>(i);
        ask(("cudaStreamGetAttribute " + std::to_string(i)).c_str(), [&] { return cudaStreamGetAttribute(stream, attribute); });
    }
    cudaLaunchAttributeValue value{};
    value.syncPolicy = cudaSyncPolicyYield;
    ASK(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
    REPORT(cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy).value.syncPolicy);
    value.syncPolicy = static_cast<cudaSynchronizationPolicy>(99);
    ASK(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value));
    value.priority = -2;
    ASK(cudaStreamSetAttribute(stream, cudaLaunchAttributePriority, &value));
    REPORT(cudaStreamGetAttribute(stream, cudaLaunchAttributePriority).value.priority);
    value.priority = 0;
    value.memSyncDomain = cudaLaunchMemSyncDomainRemote;
    ASK(cudaStreamSetAttribute(stream, cudaLaunchAttributeMemSyncDomain, &value));
    ASK(cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &value));
    ASK(cudaStreamSetAttribute(stream, static_cast<cudaLaunchAttributeID>(999), &value));
    ASK(cudaStreamCopyAttributes(other, stream));
    REPORT(cudaStreamGetAttribute(other, cudaLaunchAttributeSynchronizationPolicy).value.syncPolicy);
    ASK(cudaStreamCopyAttributes(nullptr, stream));
    ASK(cudaStreamCopyAttributes(stream, stream));
}

}  // namespace

void ask_about_runtime_streams() {
    const cudaStream_t stream = ASK(cudaStreamCreate()).value;
    const cudaStream_t other = ASK(cudaStreamCreateWithFlags(cudaStreamNonBlocking)).value;
    ASK(cudaStreamCreateWithFlags(2));
    ASK(cudaStreamCreateWithFlags(0xffff));
    const cudaStream_t urgent = ASK(cudaStreamCreateWithPriority(cudaStreamNonBlocking, -3)).value;
    ASK(cudaStreamGetPriority(urgent));
    ASK(cudaStreamGetPriority(ASK(cudaStreamCreateWithPriority(0, -99)).value));
    ASK(cudaStreamGetPriority(ASK(cudaStreamCreateWithPriority(0, 99)).value));
    ASK(cudaStreamCreateWithPriority(4, 0));
    for (const cudaStream_t each : {stream, other, cudaStream_t{nullptr}, cudaStreamLegacy, cudaStreamPerThread}) {
        ASK(cudaStreamGetFlags(each));
        ASK(cudaStreamGetPriority(each));
        ASK(cudaStreamGetDevice(each));
        ASK(cudaStreamGetId(each));
        ASK(cudaStreamQuery(each));
        ASK(cudaStreamSynchronize(each));
        ASK(cudaStreamIsCapturing(each));
        ASK(cudaStreamGetCaptureInfo(each));
        ASK(cudaStreamWaitEvent(each, nullptr, 0));
        ASK(cudaLaunchHostFunc(each, do_nothing, nullptr));
        ASK(cudaLaunchHostFunc(each, nullptr, nullptr));
        ASK(cudaLaunchHostFunc_v2(each, do_nothing, nullptr, cudaHostTaskBlocking));
        ASK(cudaLaunchHostFunc_v2(each, do_nothing, nullptr, 99));
        ASK(cudaStreamAddCallback(each, do_nothing_with_status, nullptr, 0));
        ASK(cudaStreamAddCallback(each, do_nothing_with_status, nullptr, 1));
        ASK(cudaStreamAddCallback(each, nullptr, nullptr, 0));
        ASK(cudaStreamGetDevResource(each, cudaDevResourceTypeSm));
        ASK(cudaDeviceSynchronize());
    }
    ASK(cudaStreamDestroy(nullptr));
    ASK(cudaStreamDestroy(cudaStreamLegacy));
    ASK(cudaStreamDestroy(cudaStreamPerThread));
    ask_about_attributes(stream, other);
    void* const managed = cudaMallocManaged(4096).value;
    ASK(cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachSingle));
    ASK(cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachHost));
    ASK(cudaStreamAttachMemAsync(stream, managed, 1, cudaMemAttachHost));
    ASK(cudaStreamAttachMemAsync(nullptr, managed, 0, cudaMemAttachSingle));
    ASK(cudaStreamAttachMemAsync(stream, bad_pointer, 0, cudaMemAttachSingle));
    ASK(cudaStreamSynchronize(stream));
    ASK(cudaStreamDestroy(urgent));
    ASK(cudaStreamDestroy(other));
    ASK(cudaStreamDestroy(stream));
    ASK(cudaGetLastError());
    ASK(cudaStreamSetAttribute(cudaStreamPerThread, cudaLaunchAttributePriority, nullptr));
}

}  // namespace answers

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

namespace answers {

namespace {

void do_nothing_with_status(CUstream, CUresult, void*) {}

void ask_about_attributes(CUstream stream, CUstream other) {
    for (int i = 0; i <= 12; ++i) {
        const auto attribute = static_cast<CUstreamAttrID>(i);
        ask(("cuStreamGetAttribute " + std::to_string(i)).c_str(), [&] { return cuStreamGetAttribute(stream, attribute); });
    }
    CUstreamAttrValue value{};
    value.syncPolicy = CU_SYNC_POLICY_YIELD;
    ASK(cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    REPORT(cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY).value.syncPolicy);
    value.syncPolicy = static_cast<CUsynchronizationPolicy>(99);
    ASK(cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    value.priority = -2;
    ASK(cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
    REPORT(cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_PRIORITY).value.priority);
    ASK(cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    ASK(cuStreamSetAttribute(stream, static_cast<CUstreamAttrID>(999), &value));
    ASK(cuStreamCopyAttributes(other, stream));
    REPORT(cuStreamGetAttribute(other, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY).value.syncPolicy);
    ASK(cuStreamCopyAttributes(nullptr, stream));
}

}  // namespace

void ask_about_streams() {
    const CUcontext context = use_device();
    const CUstream stream = ASK(cuStreamCreate(CU_STREAM_DEFAULT)).value;
    const CUstream other = ASK(cuStreamCreate(CU_STREAM_NON_BLOCKING)).value;
    ASK(cuStreamCreate(2));
    ASK(cuStreamCreate(0xffff));
    const CUstream urgent = ASK(cuStreamCreateWithPriority(CU_STREAM_NON_BLOCKING, -3)).value;
    ASK(cuStreamGetPriority(urgent));
    ASK(cuStreamGetPriority(ASK(cuStreamCreateWithPriority(0, -99)).value));
    ASK(cuStreamGetPriority(ASK(cuStreamCreateWithPriority(0, 99)).value));
    ASK(cuStreamCreateWithPriority(4, 0));
    for (const CUstream each : {stream, other, CUstream{nullptr}, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD}) {
        ASK(cuStreamGetFlags(each));
        ASK(cuStreamGetPriority(each));
        ASK(cuStreamGetCtx(each));
        ASK(cuStreamGetDevice(each));
        ASK(cuStreamGetId(each));
        ASK(cuStreamQuery(each));
        ASK(cuStreamSynchronize(each));
        ASK(cuStreamIsCapturing(each));
        ASK(cuStreamGetCaptureInfo(each));
        ASK(cuStreamWaitEvent(each, nullptr, 0));
        ASK(cuLaunchHostFunc(each, do_nothing, nullptr));
        ASK(cuLaunchHostFunc(each, nullptr, nullptr));
        ASK(cuStreamAddCallback(each, do_nothing_with_status, nullptr, 0));
        ASK(cuStreamAddCallback(each, do_nothing_with_status, nullptr, 1));
        ASK(cuStreamAddCallback(each, nullptr, nullptr, 0));
        ASK(cuCtxSynchronize());
    }
    REPORT(cuStreamGetCtx(stream).value == context);
    ASK(cuStreamDestroy(nullptr));
    ASK(cuStreamDestroy(CU_STREAM_LEGACY));
    ASK(cuStreamDestroy(CU_STREAM_PER_THREAD));
    ask_about_attributes(stream, other);
    ASK(cuStreamAttachMemAsync(stream, bad_address, 0, CU_MEM_ATTACH_SINGLE));
    const CUdeviceptr managed = cuMemAllocManaged(1 << 16, CU_MEM_ATTACH_GLOBAL).value;
    ASK(cuStreamAttachMemAsync(stream, managed, 0, CU_MEM_ATTACH_SINGLE));
    ASK(cuStreamAttachMemAsync(stream, managed, 0, CU_MEM_ATTACH_HOST));
    ASK(cuStreamAttachMemAsync(stream, managed, 1, CU_MEM_ATTACH_HOST));
    ASK(cuStreamAttachMemAsync(stream, managed, 0, 0));
    ASK(cuStreamAttachMemAsync(nullptr, managed, 0, CU_MEM_ATTACH_SINGLE));
    ASK(cuStreamDestroy(urgent));
    ASK(cuStreamDestroy(other));
    ASK(cuStreamDestroy(stream));
}

void ask_about_memory_operations() {
    use_device();
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUdeviceptr memory = cuMemAlloc(64).value;
    ASK(cuStreamWriteValue32(stream, memory, 5, 0));
    ASK(cuStreamWriteValue64(stream, memory + 8, 5, 0));
    ASK(cuStreamWriteValue32(stream, memory, 5, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
    ASK(cuStreamWriteValue32(stream, memory, 5, 2));
    ASK(cuStreamWriteValue32(stream, memory + 1, 5, 0));
    ASK(cuStreamWriteValue64(stream, memory + 4, 5, 0));
    ASK(cuStreamWriteValue32(stream, 0, 5, 0));
    ASK(cuStreamWriteValue32(stream, bad_address, 5, 0));
    ASK(cuStreamWriteValue32(nullptr, memory, 5, 0));
    ASK(cuCtxSynchronize());
    ASK(cuStreamWaitValue32(stream, memory, 5, CU_STREAM_WAIT_VALUE_EQ));
    ASK(cuStreamWaitValue32(stream, memory, 4, CU_STREAM_WAIT_VALUE_GEQ));
    ASK(cuStreamWaitValue32(stream, memory, 1, CU_STREAM_WAIT_VALUE_AND));
    ASK(cuStreamWaitValue32(stream, memory, 0, CU_STREAM_WAIT_VALUE_NOR));
    ASK(cuStreamWaitValue64(stream, memory + 8, 5, CU_STREAM_WAIT_VALUE_EQ));
    ASK(cuStreamWaitValue32(stream, memory, 5, 4));
    ASK(cuStreamWaitValue32(stream, memory + 2, 5, 0));
    ASK(cuStreamWaitValue32(stream, bad_address, 5, 0));
    ASK(cuStreamWaitValue32(stream, memory, 4, CU_STREAM_WAIT_VALUE_GEQ | CU_STREAM_WAIT_VALUE_FLUSH));
    ASK(cuStreamSynchronize(stream));
    CUstreamBatchMemOpParams operations[257] = {};
    operations[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    operations[0].writeValue.address = memory;
    operations[0].writeValue.value = 9;
    operations[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
    operations[1].waitValue.address = memory;
    operations[1].waitValue.value = 9;
    operations[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
    ASK(cuStreamBatchMemOp(stream, 2, operations, 0));
    ASK(cuStreamBatchMemOp(stream, 2, operations, 1));
    ASK(cuStreamBatchMemOp(stream, 0, operations, 0));
    ASK(cuStreamBatchMemOp(stream, 0, nullptr, 0));
    ASK(cuStreamBatchMemOp(stream, 1, nullptr, 0));
    ASK(cuStreamBatchMemOp(stream, 257, operations, 0));
    operations[0].writeValue.operation = static_cast<CUstreamBatchMemOpType>(99);
    ASK(cuStreamBatchMemOp(stream, 1, operations, 0));
    operations[0].writeValue.operation = CU_STREAM_MEM_OP_BARRIER;
    operations[0].memoryBarrier.flags = CU_STREAM_MEMORY_BARRIER_TYPE_SYS;
    ASK(cuStreamBatchMemOp(stream, 1, operations, 0));
    operations[0].memoryBarrier.flags = 99;
    ASK(cuStreamBatchMemOp(stream, 1, operations, 0));
    ASK(cuStreamSynchronize(stream));
    unsigned value = 0;
    ASK(cuMemcpyDtoH(&value, memory, sizeof value));
    REPORT(value);
}

}  // namespace answers

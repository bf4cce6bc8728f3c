// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "resources/groups.hpp"

namespace answers {

namespace {

// Asks for a descriptor of these resources, and for a green context of it.
void ask_about_context(const std::string& name, std::vector<CUdevResource> resources) {
    const auto descriptor = ask((name + " descriptor").c_str(), [&] {
        return cuDevResourceGenerateDesc(resources.data(), static_cast<unsigned>(resources.size()));
    });
    if (!descriptor.ok()) return;
    const auto green = ask(name.c_str(), [&] { return cuGreenCtxCreate(descriptor.value, 0, CU_GREEN_CTX_DEFAULT_STREAM); });
    if (!green.ok()) return;
    ask((name + " multiprocessors").c_str(), [&] { return cuGreenCtxGetDevResource(green.value, CU_DEV_RESOURCE_TYPE_SM); });
    ask((name + " queues").c_str(), [&] { return cuGreenCtxGetDevResource(green.value, CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG); });
    ask((name + " destroy").c_str(), [&] { return cuGreenCtxDestroy(green.value); });
}

}  // namespace

// Since 13.1.
void ask_about_queues() {
    ASK(cuInit(0));
    const auto queues = ASK(cuDeviceGetDevResource(0, CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG));
    ASK(cuDeviceGetDevResource(0, CU_DEV_RESOURCE_TYPE_WORKQUEUE));
    if (!queues.ok()) return;
    const std::vector<CUdevResource> groups = groups_of(16, 2);
    CUdevResource changed = queues.value;
    ask_about_context("queues", {changed});
    ask_about_context("queues twice", {changed, changed});
    ask_about_context("multiprocessors and queues", {groups[0], changed});
    ask_about_context("queues and multiprocessors", {changed, groups[0]});
    changed.wqConfig.sharingScope = CU_WORKQUEUE_SCOPE_GREEN_CTX_BALANCED;
    ask_about_context("balanced", {groups[0], changed});
    changed.wqConfig.sharingScope = static_cast<CUdevWorkqueueConfigScope>(99);
    ask_about_context("scope 99", {groups[0], changed});
    changed = queues.value;
    for (const unsigned limit : {0u, 1u, 4u, 64u, 1000000u}) {
        changed.wqConfig.wqConcurrencyLimit = limit;
        ask_about_context("limit " + std::to_string(limit), {groups[0], changed});
    }
    changed = queues.value;
    changed.wqConfig.device = 99;
    ask_about_context("device 99", {groups[0], changed});
}

void ask_about_descriptors() {
    const CUcontext context = use_device();
    const CUdevResource all = all_multiprocessors();
    const std::vector<CUdevResource> groups = groups_of(16, 3);
    const std::vector<CUdevResource> others = groups_of(32, 2);
    CUdevResource rest{};
    CUdevResource scratch[2] = {};
    rest = cuDevSmResourceSplitByCount(scratch, 2, &all, 0, 16).value2;
    if (groups.size() < 3 || others.size() < 2) return;
    ask_about_context("all", {all});
    ask_about_context("all twice", {all, all});
    ask_about_context("all and a group", {all, groups[0]});
    ask_about_context("a group", {groups[0]});
    ask_about_context("a group again", {groups[0]});
    ask_about_context("a group twice", {groups[0], groups[0]});
    ask_about_context("two groups", {groups[0], groups[1]});
    ask_about_context("two groups in the other order", {groups[1], groups[0]});
    ask_about_context("first and third group", {groups[0], groups[2]});
    ask_about_context("three groups", groups);
    ask_about_context("rest", {rest});
    ask_about_context("group and its rest", {scratch[0], rest});
    ask_about_context("rest and its group", {rest, scratch[1]});
    ask_about_context("group and the rest of another split", {groups[0], rest});
    ask_about_context("groups of two splits", {groups[0], others[1]});
    ask_about_context("multiprocessors of the context", {cuCtxGetDevResource(context, CU_DEV_RESOURCE_TYPE_SM).value});
    const CUgreenCtx green = create_green_context({groups[0]});
    ask_about_context("multiprocessors of a green context", {cuGreenCtxGetDevResource(green, CU_DEV_RESOURCE_TYPE_SM).value});
    CUdevResource fine[1] = {};
    if (cuDevSmResourceSplitByCount(fine, 1, &all, CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING, 2).ok()) {
        ask_about_context("group of 2", {fine[0]});
    }
    CUdevResource changed = groups[0];
    changed.type = CU_DEV_RESOURCE_TYPE_INVALID;
    ask_about_context("type 0", {changed});
    changed.type = static_cast<CUdevResourceType>(99);
    ask_about_context("type 99", {changed});
    changed = groups[0];
    changed.sm.smCount = 8;
    ask_about_context("changed count", {changed});
    ask_about_context("group and type 0", {groups[0], CUdevResource{}});
    ask_about_context("zeros", {CUdevResource{}});
    CUdevResource copy = groups[0];
    ASK(cuDevResourceGenerateDesc(&copy, 0));
    ASK(cuDevResourceGenerateDesc(nullptr, 0));
    ASK(cuDevResourceGenerateDesc(nullptr, 1));
}

void ask_about_green_contexts() {
    ASK(cuInit(0));
    const std::vector<CUdevResource> groups = groups_of(16, 2);
    if (groups.size() < 2) return;
    CUdevResource first = groups[0];
    const CUdevResourceDesc descriptor = ASK(cuDevResourceGenerateDesc(&first, 1)).value;
    ASK(cuDevicePrimaryCtxGetState(0));
    for (const unsigned flags : {0u, 2u, 3u, 0x80000000u}) {
        ask(("cuGreenCtxCreate flags " + std::to_string(flags)).c_str(), [&] { return cuGreenCtxCreate(descriptor, 0, flags); });
    }
    ASK(cuGreenCtxCreate(descriptor, 99, CU_GREEN_CTX_DEFAULT_STREAM));
    ASK(cuGreenCtxCreate(descriptor, -1, CU_GREEN_CTX_DEFAULT_STREAM));
    ASK(cuDevicePrimaryCtxGetState(0));
    const CUgreenCtx green = ASK(cuGreenCtxCreate(descriptor, 0, CU_GREEN_CTX_DEFAULT_STREAM)).value;
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cuCtxGetCurrent());
    const CUgreenCtx second = ASK(cuGreenCtxCreate(descriptor, 0, CU_GREEN_CTX_DEFAULT_STREAM)).value;
    REPORT(second == green);
    ASK(cuGreenCtxGetId(green));
    REPORT(cuGreenCtxGetId(green).value == cuGreenCtxGetId(second).value);
    for (const int type : {0, 1, 2, 1000, 10000, -1}) {
        ask(("cuGreenCtxGetDevResource " + std::to_string(type)).c_str(),
            [&] { return cuGreenCtxGetDevResource(green, static_cast<CUdevResourceType>(type)); });
    }
    const CUcontext view = ASK(cuCtxFromGreenCtx(green)).value;
    REPORT(cuCtxFromGreenCtx(green).value == view);
    REPORT(cuCtxFromGreenCtx(second).value == view);
    const CUcontext primary = cuDevicePrimaryCtxRetain(0).value;
    REPORT(view == primary);
    ASK(cuCtxGetDevResource(view, CU_DEV_RESOURCE_TYPE_SM));
    ASK(cuCtxGetDevResource(primary, CU_DEV_RESOURCE_TYPE_SM));
    ASK(cuCtxGetId(view));
    REPORT(cuCtxGetId(view).value == cuCtxGetId(primary).value);
    REPORT(cuCtxGetId(view).value == cuGreenCtxGetId(green).value);
    ASK(cuCtxGetApiVersion(view));
    ASK(cuCtxPushCurrent(view));
    REPORT(cuCtxGetCurrent().value == view);
    ASK(cuCtxGetDevice());
    ASK(cuCtxGetFlags());
    ASK(cuCtxSynchronize());
    ASK(cuCtxGetLimit(CU_LIMIT_STACK_SIZE));
    ASK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 2048));
    ASK(cuCtxGetStreamPriorityRange());
    const CUdeviceptr memory = ASK(cuMemAlloc(64)).value;
    CUcontext owner = nullptr;
    ASK(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
    REPORT(owner == primary);
    REPORT(owner == view);
    const CUstream stream = ASK(cuStreamCreate(CU_STREAM_NON_BLOCKING)).value;
    ASK(cuStreamGetGreenCtx(stream));
    REPORT(cuStreamGetCtx(stream).value == view);
    const auto both = ASK(cuStreamGetCtx_v2(stream));
    REPORT(both.value1 == view);
    REPORT(both.value1 == primary);
    REPORT(both.value2 == green);
    ASK(cuStreamCreate(CU_STREAM_DEFAULT));
    ASK(cuStreamGetGreenCtx(nullptr));
    ASK(cuStreamGetGreenCtx(CU_STREAM_LEGACY));
    ASK(cuStreamGetGreenCtx(CU_STREAM_PER_THREAD));
    ASK(cuMemsetD8Async(memory, 1, 64, nullptr));
    cuCtxSynchronize();  // not asked: the streams do not wait for each other
    ASK(cuMemsetD8Async(memory, 1, 64, stream));
    ASK(cuCtxSynchronize());
    ASK(cuMemFree(memory));
    ASK(cuEventDestroy(ASK(cuEventCreate(CU_EVENT_DEFAULT)).value));
    ASK(cuCtxDestroy(view));
    REPORT(cuCtxGetCurrent().value == view);
    REPORT(cuCtxPopCurrent().value == view);
    ASK(cuCtxSetCurrent(view));
    ASK(cuCtxSetCurrent(nullptr));
    ASK(cuDevicePrimaryCtxRelease(0));
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cuGreenCtxDestroy(second));
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cuGreenCtxDestroy(green));
    ASK(cuDevicePrimaryCtxGetState(0));
    // The descriptor remains usable.
    ASK(cuGreenCtxDestroy(ASK(cuGreenCtxCreate(descriptor, 0, CU_GREEN_CTX_DEFAULT_STREAM)).value));
    CUdevResource last = groups[1];
    const CUgreenCtx current = create_green_context({last});
    ASK(cuCtxSetCurrent(cuCtxFromGreenCtx(current).value));
    ASK(cuGreenCtxDestroy(current));
    ASK(cuMemAlloc(64));
    ASK(cuCtxSynchronize());
    ASK(cuCtxGetDevice());
}

// The last questions, because the driver might read what does not exist.
void ask_about_missing_green_contexts() {
    use_device();
    const std::vector<CUdevResource> groups = groups_of(16, 1);
    ASK(cuGreenCtxDestroy(nullptr));
    ASK(cuGreenCtxGetId(nullptr));
    ASK(cuCtxFromGreenCtx(nullptr));
    ASK(cuGreenCtxGetDevResource(nullptr, CU_DEV_RESOURCE_TYPE_SM));
    ASK(cuGreenCtxStreamCreate(nullptr, CU_STREAM_NON_BLOCKING, 0));
    const CUevent event = cuEventCreate(CU_EVENT_DEFAULT).value;
    ASK(cuGreenCtxRecordEvent(nullptr, event));
    ASK(cuGreenCtxWaitEvent(nullptr, event));
    ASK(cuGreenCtxCreate(nullptr, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    const CUgreenCtx green = create_green_context(groups);
    ASK(cuGreenCtxRecordEvent(green, nullptr));
    ASK(cuGreenCtxWaitEvent(green, nullptr));
    const CUcontext view = cuCtxFromGreenCtx(green).value;
    ASK(cuGreenCtxDestroy(green));
    ASK(cuCtxSetCurrent(view));
    ASK(cuCtxGetDevResource(view, CU_DEV_RESOURCE_TYPE_SM));
    ASK(cuGreenCtxGetId(green));
    ASK(cuGreenCtxGetDevResource(green, CU_DEV_RESOURCE_TYPE_SM));
    ASK(cuCtxFromGreenCtx(green));
    ASK(cuGreenCtxStreamCreate(green, CU_STREAM_NON_BLOCKING, 0));
    ASK(cuGreenCtxRecordEvent(green, event));
    ASK(cuGreenCtxDestroy(green));
}

}  // namespace answers

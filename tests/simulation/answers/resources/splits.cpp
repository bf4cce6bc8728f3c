// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "resources/groups.hpp"

namespace answers {

namespace {

// Asks for a split into groups, and reports the groups and the rest.
void ask_about_split(const std::string& name, const CUdevResource& input, unsigned count, unsigned size, unsigned flags = 0) {
    std::vector<CUdevResource> groups(count + 1);
    const auto split =
        ask((name + " count").c_str(), [&] { return cuDevSmResourceSplitByCount(nullptr, count, &input, flags, size); });
    const auto found = ask(name.c_str(), [&] { return cuDevSmResourceSplitByCount(groups.data(), count, &input, flags, size); });
    if (!split.ok() && !found.ok()) return;
    for (unsigned i = 0; i <= count && i < 4; ++i) report((name + " group " + std::to_string(i)).c_str(), groups[i]);
}

void ask_about_structured_split(const std::string& name, const CUdevResource& input,
                                std::vector<CU_DEV_SM_RESOURCE_GROUP_PARAMS> parameters, unsigned flags = 0) {
    const auto count = static_cast<unsigned>(parameters.size());
    std::vector<CUdevResource> groups(count + 1);
    auto discovered = parameters;
    ask((name + " discovered").c_str(), [&] { return cuDevSmResourceSplit(nullptr, count, &input, flags, discovered.data()); });
    for (const auto& each : discovered) report((name + " discovered group").c_str(), each);
    const auto split =
        ask(name.c_str(), [&] { return cuDevSmResourceSplit(groups.data(), count, &input, flags, parameters.data()); });
    if (!split.ok()) return;
    for (unsigned i = 0; i < count; ++i) {
        report((name + " group").c_str(), groups[i]);
        report((name + " parameters").c_str(), parameters[i]);
    }
}

CU_DEV_SM_RESOURCE_GROUP_PARAMS group(unsigned count, unsigned together = 0, unsigned preferred = 0, unsigned flags = 0) {
    CU_DEV_SM_RESOURCE_GROUP_PARAMS parameters{};
    parameters.smCount = count;
    parameters.coscheduledSmCount = together;
    parameters.preferredCoscheduledSmCount = preferred;
    parameters.flags = flags;
    return parameters;
}

}  // namespace

void ask_about_resources() {
    ASK(cuDeviceGetDevResource(0, CU_DEV_RESOURCE_TYPE_SM));
    ASK(cuInit(0));
    ASK(cuDeviceGetDevResource(0, CU_DEV_RESOURCE_TYPE_SM));
    ASK(cuDevicePrimaryCtxGetState(0));
    ASK(cuDeviceGetDevResource(99, CU_DEV_RESOURCE_TYPE_SM));
    ASK(cuDeviceGetDevResource(-1, CU_DEV_RESOURCE_TYPE_SM));
    for (const int type : {0, 2, 999, 1000, 1001, 9999, 10000, 10001, -1}) {
        ask(("resource of type " + std::to_string(type)).c_str(),
            [&] { return cuDeviceGetDevResource(0, static_cast<CUdevResourceType>(type)); });
    }
    ASK(cuCtxGetDevResource(nullptr, CU_DEV_RESOURCE_TYPE_SM));
    const CUcontext context = use_device();
    ASK(cuCtxGetDevResource(context, CU_DEV_RESOURCE_TYPE_SM));
    for (const int type : {0, 2, 1000, 10000, -1}) {
        ask(("resource of the context, type " + std::to_string(type)).c_str(),
            [&] { return cuCtxGetDevResource(context, static_cast<CUdevResourceType>(type)); });
    }
    ASK(cuCtxGetDevResource(nullptr, CU_DEV_RESOURCE_TYPE_SM));
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    for (const CUstream each : {stream, CUstream{nullptr}, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD}) {
        ASK(cuStreamGetDevResource(each, CU_DEV_RESOURCE_TYPE_SM));
        ASK(cuStreamGetDevResource(each, CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG));
        ASK(cuStreamGetGreenCtx(each));
    }
}

void ask_about_splits() {
    ASK(cuInit(0));
    const CUdevResource input = all_multiprocessors();
    for (const unsigned size : {0u, 1u, 2u, 3u, 7u, 8u, 9u, 12u, 16u, 17u, 20u, 60u, 64u, 65u, 66u, 96u, 100u}) {
        for (const unsigned flags : {0u, 1u, 2u, 3u}) {
            ask_about_split("3 of " + std::to_string(size) + " flags " + std::to_string(flags), input, 3, size, flags);
        }
    }
    for (const unsigned flags : {0u, 1u, 2u, 3u}) {
        const std::string suffix = " flags " + std::to_string(flags);
        for (const unsigned less : {0u, 1u, 2u, 3u, 4u, 5u}) {
            ask_about_split("all but " + std::to_string(less) + suffix, input, 1, input.sm.smCount - less, flags);
        }
        ask_about_split("all and 1" + suffix, input, 1, input.sm.smCount + 1, flags);
        ask_about_split("half" + suffix, input, 2, input.sm.smCount / 2, flags);
        ask_about_split("99 of 1" + suffix, input, 99, 1, flags);
        ask_about_split("99 of 8" + suffix, input, 99, 8, flags);
        ask_about_split("none of 8" + suffix, input, 0, 8, flags);
        ask_about_split("1 of -1" + suffix, input, 1, static_cast<unsigned>(-1), flags);
    }
    for (const unsigned flags : {4u, 5u, 8u, 0x80000000u}) {
        ask_about_split("flags " + std::to_string(flags), input, 1, 8, flags);
    }
    CUdevResource groups[2] = {};
    const auto [status, count, rest] = ASK(cuDevSmResourceSplitByCount(groups, 2, &input, 0, 16));
    if (status == CUDA_SUCCESS) {
        ask_about_split("group again", groups[0], 1, 8);
        ask_about_split("group as a whole", groups[0], 1, 16);
        ask_about_split("group again, flags 1", groups[0], 2, 2, 1);
        ask_about_split("second group again", groups[1], 2, 8);
        ask_about_split("rest again", rest, 2, 8);
        ask_about_split("rest again, flags 1", rest, 2, 2, 1);
    }
    // A context's multiprocessors are not the result of a split.
    const CUcontext context = use_device();
    ask_about_split("those of the context", cuCtxGetDevResource(context, CU_DEV_RESOURCE_TYPE_SM).value, 2, 8);
    const CUgreenCtx green = create_green_context(groups_of(16, 2));
    ask_about_split("those of a green context", cuGreenCtxGetDevResource(green, CU_DEV_RESOURCE_TYPE_SM).value, 2, 8);
    ask_about_split("those of a green context, flags 1", cuGreenCtxGetDevResource(green, CU_DEV_RESOURCE_TYPE_SM).value, 2, 2, 1);
    const CUdevResource queues = cuDeviceGetDevResource(0, CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG).value;
    if (queues.type == CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG) ask_about_split("queues", queues, 1, 8);
    CUdevResource unknown = input;
    unknown.type = CU_DEV_RESOURCE_TYPE_INVALID;
    ask_about_split("type 0", unknown, 1, 8);
    unknown.type = static_cast<CUdevResourceType>(99);
    ask_about_split("type 99", unknown, 1, 8);
    CUdevResource changed = input;
    changed.sm.smCount += 8;
    ask_about_split("changed count", changed, 1, 8);
    ASK(cuDevSmResourceSplitByCount(groups, 1, nullptr, 0, 8));
}

// Since 13.1.
void ask_about_structured_splits() {
    ASK(cuInit(0));
    const CUdevResource input = all_multiprocessors();
    const unsigned all = input.sm.smCount;
    constexpr unsigned backfill = CU_DEV_SM_RESOURCE_GROUP_BACKFILL;
    for (const unsigned count : {0u, 1u, 2u, 4u, 7u, 8u, 16u, 20u, 64u}) {
        ask_about_structured_split("1 of " + std::to_string(count), input, {group(count)});
        ask_about_structured_split("1 of " + std::to_string(count) + " backfilled", input, {group(count, 0, 0, backfill)});
    }
    for (const unsigned together : {1u, 2u, 4u, 6u, 8u, 16u, 32u, 64u}) {
        ask_about_structured_split("32 together " + std::to_string(together), input, {group(32, together)});
        ask_about_structured_split("any together " + std::to_string(together), input, {group(0, together)});
        ask_about_structured_split("32 preferred " + std::to_string(together), input, {group(32, 2, together)});
    }
    ask_about_structured_split("all", input, {group(all)});
    ask_about_structured_split("all backfilled", input, {group(all, 0, 0, backfill)});
    ask_about_structured_split("too many", input, {group(all + 8)});
    ask_about_structured_split("two", input, {group(16), group(32)});
    ask_about_structured_split("rest", input, {group(64), group(0)});
    ask_about_structured_split("rest twice", input, {group(0), group(0)});
    ask_about_structured_split("more than are left", input, {group(96), group(64)});
    ask_about_structured_split("wrong flags of a group", input, {group(8, 0, 0, 0x80)});
    ask_about_structured_split("locality domain", input, {group(8, 0, 0, CU_DEV_SM_RESOURCE_GROUP_LOCALITY_DOMAIN_ID)});
    ask_about_structured_split("wrong flags", input, {group(8)}, 1);
    CU_DEV_SM_RESOURCE_GROUP_PARAMS parameters = group(16);
    CUdevResource groups[1] = {};
    const auto split = ASK(cuDevSmResourceSplit(groups, 1, &input, 0, &parameters));
    if (split.ok()) {
        ask_about_structured_split("group again", groups[0], {group(8)});
        ask_about_structured_split("rest again", split.value, {group(8)});
    }
    ASK(cuDevSmResourceSplit(groups, 0, &input, 0, &parameters));
    ASK(cuDevSmResourceSplit(groups, 1, nullptr, 0, &parameters));
    ASK(cuDevSmResourceSplit(groups, 1, &input, 0, nullptr));
}

}  // namespace answers

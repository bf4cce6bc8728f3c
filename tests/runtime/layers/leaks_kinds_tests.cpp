// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvrtc.hpp>

#include <cstdint>

#include "simulated_test.hpp"

namespace cubind::testing {
namespace {

namespace leaks = layers::leaks;

// A kind of object with a function that creates an object and one that destroys it.
struct Kind {
    const char* name;
    std::function<unsigned long long()> begin;
    std::function<CUresult(unsigned long long)> end;
};

unsigned long long number(const void* handle) {
    return reinterpret_cast<std::uintptr_t>(handle);
}

CUmemoryPool new_pool() {
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    return cuMemPoolCreate(&properties).value;
}

char registered[4096];

const Kind kinds[] = {
    {"stream", [] { return number(cuStreamCreate(0).value); },
     [](auto value) { return cuStreamDestroy(handle<CUstream>(value)).status; }},
    {"stream", [] { return number(cuStreamCreateWithPriority(1, 0).value); },
     [](auto value) { return cuStreamDestroy(handle<CUstream>(value)).status; }},
    {"event", [] { return number(cuEventCreate(0).value); },
     [](auto value) { return cuEventDestroy(handle<CUevent>(value)).status; }},
    {"context", [] { return number(cuCtxCreate_v2(0, 0).value); },
     [](auto value) { return cuCtxDestroy(handle<CUcontext>(value)).status; }},
    {"primary context",
     [] {
         cuDevicePrimaryCtxRetain(1);
         return 1ull;
     },
     [](auto) { return cuDevicePrimaryCtxRelease(1).status; }},
    {"device memory", [] { return cuMemAlloc(64).value; }, [](auto value) { return cuMemFree(value).status; }},
    {"device memory", [] { return cuMemAllocPitch(64, 2, 4).value1; }, [](auto value) { return cuMemFree(value).status; }},
    {"device memory", [] { return cuMemAlloc(64).value; }, [](auto value) { return cuMemFreeAsync(value, nullptr).status; }},
    {"managed memory", [] { return cuMemAllocManaged(64, CU_MEM_ATTACH_GLOBAL).value; },
     [](auto value) { return cuMemFree(value).status; }},
    {"stream-ordered memory", [] { return cuMemAllocAsync(64, nullptr).value; },
     [](auto value) { return cuMemFreeAsync(value, nullptr).status; }},
    {"stream-ordered memory", [] { return cuMemAllocAsync(64, nullptr).value; },
     [](auto value) { return cuMemFree(value).status; }},
    {"pinned host memory", [] { return number(cuMemHostAlloc(64, 0).value); },
     [](auto value) { return cuMemFreeHost(handle<void*>(value)).status; }},
    {"pinned host memory", [] { return number(cuMemAllocHost(64).value); },
     [](auto value) { return cuMemFreeHost(handle<void*>(value)).status; }},
    {"registered host memory",
     [] {
         cuMemHostRegister(registered, sizeof registered, 0);
         return number(registered);
     },
     [](auto value) { return cuMemHostUnregister(handle<void*>(value)).status; }},
    {"memory pool", [] { return number(new_pool()); },
     [](auto value) { return cuMemPoolDestroy(handle<CUmemoryPool>(value)).status; }},
};

class LeaksKindTest : public SimulatedTest, public ::testing::WithParamInterface<std::size_t> {
protected:
    void SetUp() override {
        SimulatedTest::SetUp();
        ASSERT_TRUE(leaks::outstanding().empty());
    }
};

TEST_P(LeaksKindTest, IsListedFromCreationToDestruction) {
    const Kind& kind = kinds[GetParam()];
    for (const bool validates : {false, true}) {
        leaks::start();
        if (validates) layers::validate::start();
        const unsigned long long value = kind.begin();
        const auto all = leaks::outstanding();
        ASSERT_EQ(all.size(), 1u) << leaks::report();
        EXPECT_EQ(all[0].kind, kind.name);
        EXPECT_EQ(all[0].value, value);
        EXPECT_EQ(kind.end(value), CUDA_SUCCESS);
        EXPECT_EQ(leaks::report(), "");
        EXPECT_EQ(layers::validate::findings(), 0u);
        leaks::stop();
    }
}

TEST_P(LeaksKindTest, IsNotListedIfCreatedBeforeTheStart) {
    const Kind& kind = kinds[GetParam()];
    const unsigned long long value = kind.begin();
    leaks::start();
    EXPECT_EQ(kind.end(value), CUDA_SUCCESS);
    EXPECT_EQ(leaks::report(), "");
}

INSTANTIATE_TEST_SUITE_P(Every, LeaksKindTest, ::testing::Range<std::size_t>(0, std::size(kinds)));

// ---- another library -----------------------------------------------------------------------------------------------

using namespace cubind::nvrtc;

nvrtcResult create(nvrtcProgram* program, const char*, const char*, int, const char* const*, const char* const*) {
    static std::uintptr_t last = 0x1000;
    *program = handle<nvrtcProgram>(last += 16);
    return NVRTC_SUCCESS;
}
nvrtcResult destroy(nvrtcProgram* program) {
    if (*program == nullptr) return NVRTC_ERROR_INVALID_PROGRAM;
    *program = nullptr;
    return NVRTC_SUCCESS;
}
void* find(const char* symbol) noexcept {
    const std::string name = symbol;
    if (name == "nvrtcCreateProgram") return reinterpret_cast<void*>(create);
    if (name == "nvrtcDestroyProgram") return reinterpret_cast<void*>(destroy);
    return nullptr;
}
constexpr cubind::Substitute two_functions{.path = "two functions", .found_via = "a test", .find = find};

class LeaksProgramTest : public SimulatedTest {
protected:
    void SetUp() override {
        SimulatedTest::SetUp();
        substitute(cubind::nvrtc::library(), cubind::nvrtc::all_entry_points(), &two_functions);
        leaks::start();
    }
    void TearDown() override {
        SimulatedTest::TearDown();
        substitute(cubind::nvrtc::library(), cubind::nvrtc::all_entry_points(), nullptr);
    }
};

TEST_F(LeaksProgramTest, ListsPrograms) {
    const auto [status, program] = nvrtcCreateProgram("source", "name.cu", 0, nullptr, nullptr);
    ASSERT_EQ(status, NVRTC_SUCCESS);
    const auto all = leaks::outstanding();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].kind, "program");
    EXPECT_EQ(all[0].library, "nvrtc");
    EXPECT_EQ(all[0].call, "nvrtcCreateProgram(src=\"source\", name=\"name.cu\", numHeaders=0, headers=null, includeNames=null)");
    EXPECT_EQ(nvrtcDestroyProgram(program).status, NVRTC_SUCCESS);
    EXPECT_EQ(leaks::report(), "");
}

// Programs belong to no context, so a reset device or a destroyed context does not destroy them.
TEST_F(LeaksProgramTest, ListsProgramsAfterTheEndOfContexts) {
    nvrtcCreateProgram("source", nullptr, 0, nullptr, nullptr);
    EXPECT_TRUE(cuDevicePrimaryCtxReset(1).ok());
    EXPECT_TRUE(cuCtxDestroy(context).ok());
    EXPECT_EQ(leaks::outstanding().size(), 1u);
}

}  // namespace
}  // namespace cubind::testing

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests results that a driver may return and the simulated driver never returns, such as a handle that was used before.
#include <cstdint>
#include <map>

#include "validate_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::StartsWith;

std::uintptr_t next_handle = 0;
CUcontext current = nullptr;

template <class... Rest>
CUresult create(void** out, Rest...) {
    *out = reinterpret_cast<void*>(next_handle);
    return CUDA_SUCCESS;
}
CUresult get_current(CUcontext* context) {
    *context = current;
    return CUDA_SUCCESS;
}
CUresult accept(void*) {
    return CUDA_SUCCESS;
}
CUresult launch(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**) {
    return CUDA_SUCCESS;
}

void* find(const char* symbol) noexcept {
    static const std::map<std::string, void*> functions{
        {"cuCtxGetCurrent", reinterpret_cast<void*>(get_current)},
        {"cuModuleGetFunction", reinterpret_cast<void*>(create<void*, const char*>)},
        {"cuModuleLoadData", reinterpret_cast<void*>(create<const void*>)},
        {"cuModuleUnload", reinterpret_cast<void*>(accept)},
        {"cuStreamCreate", reinterpret_cast<void*>(create<unsigned>)},
        {"cuStreamDestroy_v2", reinterpret_cast<void*>(accept)},
        {"cuStreamSynchronize", reinterpret_cast<void*>(accept)},
        {"cuLaunchKernel", reinterpret_cast<void*>(launch)},
    };
    const auto found = functions.find(symbol);
    return found != functions.end() ? found->second : nullptr;
}

constexpr cubind::Substitute few_functions{.path = "few functions", .found_via = "a test", .find = find};

class ValidateStubDriverTest : public ::testing::Test {
protected:
    void SetUp() override {
        substitute(library(), all_entry_points(), &few_functions);
        current = handle<CUcontext>(0x9990);
        layers::validate::start(findings.options());
    }
    void TearDown() override {
        layers::validate::stop();
        substitute(library(), all_entry_points(), nullptr);
    }
    static CUstream stream(std::uintptr_t value) {
        next_handle = value;
        return cuStreamCreate(0).value;
    }
    static CUfunction function(std::uintptr_t module, std::uintptr_t value) {
        next_handle = module;
        const CUmodule loaded = cuModuleLoadData("").value;
        next_handle = value;
        return cuModuleGetFunction(loaded, "f").value;
    }
    static void launch_one(CUfunction function, CUstream stream) {
        cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr);
    }

    const ::testing::Matcher<std::string> of_two_contexts =
        AllOf(StartsWith("cuLaunchKernel: hStream is in context 0x8880"), HasSubstr("f is in context 0x9990"));
    Findings findings;
};

TEST_F(ValidateStubDriverTest, AcceptsAReusedHandle) {
    for (int times = 0; times < 3; ++times) {
        EXPECT_EQ(stream(0x5550), handle<CUstream>(0x5550));
        cuStreamSynchronize(handle<CUstream>(0x5550));
        EXPECT_THAT(findings.messages(), IsEmpty());
        cuStreamDestroy(handle<CUstream>(0x5550));
        cuStreamSynchronize(handle<CUstream>(0x5550));
        EXPECT_THAT(findings.messages(), ElementsAre(HasSubstr("cuStreamDestroy_v2 destroyed")));
    }
}

TEST_F(ValidateStubDriverTest, UsesTheNewContextOfAReusedHandle) {
    const CUfunction kernel = function(0x7000, 0x7770);
    cuStreamDestroy(stream(0x5550));
    current = handle<CUcontext>(0x8880);
    launch_one(kernel, stream(0x5550));
    EXPECT_THAT(findings.messages(), ElementsAre(of_two_contexts));
}

TEST_F(ValidateStubDriverTest, UsesTheContextOfTheModuleForKernels) {
    const CUfunction kernel = function(0x7000, 0x7770);
    launch_one(kernel, stream(0x5550));
    launch_one(kernel, nullptr);
    EXPECT_THAT(findings.messages(), IsEmpty());
    current = handle<CUcontext>(0x8880);
    launch_one(kernel, nullptr);
    EXPECT_THAT(findings.messages(), ElementsAre(of_two_contexts));
}

TEST_F(ValidateStubDriverTest, RejectsKernelsOfAnUnloadedModule) {
    const CUfunction kernel = function(0x7000, 0x7770);
    cuModuleUnload(handle<CUmodule>(0x7000));
    launch_one(kernel, nullptr);
    EXPECT_THAT(findings.messages(),
                ElementsAre(AllOf(StartsWith("cuLaunchKernel: f is 0x7770"), HasSubstr("cuModuleGetFunction returned"),
                                  HasSubstr("cuModuleUnload destroyed"), HasSubstr("CUfunction"))));
}

TEST_F(ValidateStubDriverTest, PreservesMissingFunctions) {
    EXPECT_EQ(cuInit(0).status, CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND);
    EXPECT_FALSE(has(cuInit));
    EXPECT_THAT(findings.messages(), IsEmpty());
}

// The layer stores all live handles, but only a limited number of destroyed handles.
TEST_F(ValidateStubDriverTest, LimitsTheNumberOfDestroyedHandles) {
    EXPECT_EQ(stream(0x5550), handle<CUstream>(0x5550));
    for (std::uintptr_t index = 1; index <= 70000; ++index) cuStreamDestroy(stream(0x100000 + 16 * index));
    cuStreamSynchronize(handle<CUstream>(0x5550));
    EXPECT_THAT(findings.messages(), IsEmpty());
    cuStreamSynchronize(handle<CUstream>(0x100000 + 16));
    EXPECT_THAT(findings.messages(), ElementsAre(HasSubstr("no call has returned")))
        << "the oldest destroyed handle is no longer stored";
    cuStreamSynchronize(handle<CUstream>(0x100000 + 16 * 70000));
    EXPECT_THAT(findings.messages(), ElementsAre(HasSubstr("cuStreamDestroy_v2 destroyed")));
}

}  // namespace
}  // namespace cubind::testing

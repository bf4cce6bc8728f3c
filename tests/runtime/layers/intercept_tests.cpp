// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/failure.hpp>

#include <algorithm>

#include "simulated_test.hpp"

namespace cubind::testing {
namespace {

std::vector<std::string> seen;

template <class Wrapper>
cubind::EntryPoint* entry_of(Wrapper& wrapper) {
    return entry_point_of(reinterpret_cast<void (*)()>(&wrapper));
}

void note(const cubind::Call& call) noexcept {
    seen.push_back(call.function.symbol);
    call.proceed();
}
void swallow(const cubind::Call& call) noexcept {
    seen.push_back(call.function.symbol);
}

class InterceptTest : public ::testing::Test {
protected:
    void SetUp() override {
        seen.clear();
        cubind::sim::install({.devices = 2, .release = "12.4"});
    }
    void TearDown() override {
        off();
        cubind::sim::uninstall();
    }
    static void on(cubind::Observer observer = note) { cubind::intercept(layers::libraries(), observer); }
    static void off() { cubind::intercept(layers::libraries(), nullptr); }
    static int version() { return cuDriverGetVersion().value; }
};

TEST_F(InterceptTest, InterceptsFunctionsThatWereLookedUpBefore) {
    EXPECT_EQ(version(), 12040);
    on();
    EXPECT_EQ(version(), 12040);
    EXPECT_THAT(seen, ElementsAre("cuDriverGetVersion"));
    off();
    EXPECT_EQ(version(), 12040);
    EXPECT_EQ(seen.size(), 1u) << "calls are no longer intercepted";
}

TEST_F(InterceptTest, InterceptsFunctionsThatAreLookedUpLater) {
    on();
    EXPECT_TRUE(cuInit(0).ok());
    EXPECT_EQ(version(), 12040);
    EXPECT_THAT(seen, ElementsAre("cuInit", "cuDriverGetVersion"));
    off();
    EXPECT_EQ(version(), 12040);
    EXPECT_EQ(seen.size(), 2u);
    on();
    EXPECT_EQ(version(), 12040);
    EXPECT_EQ(seen.size(), 3u) << "again";
}

TEST_F(InterceptTest, RestoresEntryPoints) {
    version();
    cubind::EntryPoint& entry = *entry_of(cuDriverGetVersion);
    void* const before = entry.address;
    on();
    EXPECT_NE(entry.address, before);
    EXPECT_EQ(entry_of(cuInit)->address, nullptr) << "no function is looked up";
    off();
    EXPECT_EQ(entry.address, before);
}

TEST_F(InterceptTest, ReplacesTheObserver) {
    on();
    on(swallow);
    EXPECT_EQ(version(), 0);
    EXPECT_EQ(seen.size(), 1u);
}

TEST_F(InterceptTest, PreservesMissingFunctions) {
    on();
    EXPECT_FALSE(has(cuCtxCreate_v4)) << "since CUDA 12.5";
    const auto [status, context] = cuCtxCreate_v4(nullptr, 0, 0);
    EXPECT_EQ(status, CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND);
    EXPECT_STREQ(cubind::last_failure().function, "cuCtxCreate_v4");
    EXPECT_EQ(cubind::last_failure().reason, cubind::FailureReason::symbol_missing);
    EXPECT_THAT(seen, IsEmpty());
    off();
    EXPECT_FALSE(has(cuCtxCreate_v4));
}

TEST_F(InterceptTest, RecordsFailuresOfInterceptedCalls) {
    on();
    EXPECT_EQ(cuCtxGetDevice().status, CUDA_ERROR_NOT_INITIALIZED);
    EXPECT_STREQ(cubind::last_failure().function, "cuCtxGetDevice");
    EXPECT_EQ(cubind::last_failure().status, CUDA_ERROR_NOT_INITIALIZED);
}

TEST_F(InterceptTest, ContinuesWithANewSimulatedMachine) {
    on();
    EXPECT_EQ(version(), 12040);
    cubind::sim::install({.release = "12.8"});
    EXPECT_EQ(version(), 12080);
    EXPECT_EQ(seen.size(), 2u);
    cubind::sim::uninstall();
    off();
    cubind::sim::install({.release = "12.2"});
    EXPECT_EQ(version(), 12020);
    EXPECT_EQ(seen.size(), 2u);
}

TEST_F(InterceptTest, ReturnsTheVendorsAddress) {
    const auto libraries = all_libraries();
    const auto found =
        std::find_if(libraries.begin(), libraries.end(), [](const auto* each) { return std::string(each->name) == "driver"; });
    ASSERT_NE(found, libraries.end());
    const reflection::LibraryDescription& library = **found;
    const auto function = std::find_if(library.functions.begin(), library.functions.end(),
                                       [](const auto& each) { return std::string(each.symbol) == "cuDriverGetVersion"; });
    void* const address = cubind::original_address(library, *function);
    EXPECT_EQ(address, entry_of(cuDriverGetVersion)->address);
    on();
    EXPECT_EQ(cubind::original_address(library, *function), address);
}

// ---- replacements by other code ---------------------------------------------------------------------------------

void* below = nullptr;

CUresult one_more(int* version) {
    const CUresult status = reinterpret_cast<CUresult (*)(int*)>(below)(version);
    *version += 1;
    return status;
}
void replace() {
    below = exchange_address(*entry_of(cuDriverGetVersion), reinterpret_cast<void*>(one_more));
}
void restore() {
    EXPECT_EQ(exchange_address(*entry_of(cuDriverGetVersion), below), reinterpret_cast<void*>(one_more));
}

TEST_F(InterceptTest, InterceptsAnEarlierReplacement) {
    replace();
    on();
    EXPECT_EQ(version(), 12041);
    EXPECT_EQ(seen.size(), 1u);
    off();
    EXPECT_EQ(version(), 12041);
    restore();
    EXPECT_EQ(version(), 12040);
}

TEST_F(InterceptTest, InterceptsALaterReplacement) {
    on();
    replace();
    EXPECT_EQ(version(), 12041);
    off();
    EXPECT_EQ(version(), 12041);
    on();
    EXPECT_EQ(version(), 12041) << "the replacement does not forward to itself";
    EXPECT_EQ(seen.size(), 2u);
    restore();
    EXPECT_EQ(version(), 12040);
    EXPECT_EQ(seen.size(), 3u);
}

TEST_F(InterceptTest, RemovesAReplacementThatWasInstalledDuringInterception) {
    on();
    replace();
    off();
    restore();
    EXPECT_EQ(version(), 12040);
    on();
    EXPECT_EQ(version(), 12040);
    EXPECT_EQ(seen.size(), 1u);
}

CUresult create_context(CUcontext* context, CUctxCreateParams*, unsigned, CUdevice) {
    *context = handle<CUcontext>(77);
    return CUDA_SUCCESS;
}

TEST_F(InterceptTest, InterceptsTheReplacementOfAMissingFunction) {
    on();
    cubind::EntryPoint& entry = *entry_of(cuCtxCreate_v4);
    EXPECT_EQ(exchange_address(entry, reinterpret_cast<void*>(create_context)), nullptr);
    EXPECT_EQ(cuCtxCreate_v4(nullptr, 0, 0).value, handle<CUcontext>(77));
    EXPECT_EQ(seen.size(), 1u);
    EXPECT_EQ(exchange_address(entry, nullptr), reinterpret_cast<void*>(create_context));
    EXPECT_EQ(cuCtxCreate_v4(nullptr, 0, 0).status, CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND);
}

}  // namespace
}  // namespace cubind::testing

// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Tests to_vendor and from_vendor with the headers of four libraries in one translation unit.
#include <cubind/driver/vendor.hpp>
#include <cubind/nvjitlink/vendor.hpp>
#include <cubind/nvrtc/vendor.hpp>
#include <cubind/runtime/vendor.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <type_traits>

namespace cubind::testing {
namespace {

// Enumerators convert in both directions in constant expressions, and each result has the expected type.
static_assert(driver::to_vendor(driver::CUDA_ERROR_OUT_OF_MEMORY) == ::CUDA_ERROR_OUT_OF_MEMORY);
static_assert(driver::from_vendor(::CUDA_ERROR_OUT_OF_MEMORY) == driver::CUDA_ERROR_OUT_OF_MEMORY);
static_assert(runtime::to_vendor(runtime::cudaMemcpyDeviceToHost) == ::cudaMemcpyDeviceToHost);
static_assert(runtime::from_vendor(::cudaErrorNoDevice) == runtime::cudaErrorNoDevice);
static_assert(nvrtc::to_vendor(nvrtc::NVRTC_ERROR_COMPILATION) == ::NVRTC_ERROR_COMPILATION);
static_assert(nvjitlink::from_vendor(::NVJITLINK_INPUT_PTX) == nvjitlink::NVJITLINK_INPUT_PTX);
static_assert(std::is_same_v<decltype(driver::to_vendor(driver::CUDA_SUCCESS)), ::CUresult>);
static_assert(std::is_same_v<decltype(driver::from_vendor(::CUDA_SUCCESS)), driver::CUresult>);
static_assert(!std::is_same_v<driver::CUresult, ::CUresult>);

// Handles have the same type in both headers.
static_assert(std::is_same_v<driver::CUstream, ::CUstream>);
static_assert(std::is_same_v<driver::CUcontext, ::CUcontext>);
static_assert(std::is_same_v<runtime::cudaStream_t, ::cudaStream_t>);
static_assert(std::is_same_v<driver::CUstream, runtime::cudaStream_t>);
static_assert(std::is_same_v<nvrtc::nvrtcProgram, ::nvrtcProgram>);
static_assert(std::is_same_v<nvjitlink::nvJitLinkHandle, ::nvJitLinkHandle>);

// Converts a record in both directions and compares its bytes.
template <class Ours, class ToVendor, class FromVendor>
void expect_same_bytes(ToVendor there, FromVendor back) {
    unsigned char pattern[sizeof(Ours)];
    for (std::size_t i = 0; i < sizeof pattern; ++i) pattern[i] = static_cast<unsigned char>(i * 7 + 1);
    Ours ours;
    std::memcpy(static_cast<void*>(&ours), pattern, sizeof pattern);
    const auto vendor = there(ours);
    static_assert(!std::is_same_v<std::remove_const_t<decltype(vendor)>, Ours>);
    static_assert(sizeof vendor == sizeof ours);
    EXPECT_EQ(std::memcmp(&vendor, pattern, sizeof pattern), 0);
    const auto again = back(vendor);
    static_assert(std::is_same_v<std::remove_const_t<decltype(again)>, Ours>);
    EXPECT_EQ(std::memcmp(&again, pattern, sizeof pattern), 0);
}

#define EXPECT_SAME_BYTES(library, Record)                                                          \
    expect_same_bytes<library::Record>([](const auto& value) { return library::to_vendor(value); }, \
                                       [](const auto& value) { return library::from_vendor(value); })

TEST(VendorRoundTripTest, PreservesEveryByteOfARecord) {
    EXPECT_SAME_BYTES(driver, CUDA_MEMCPY3D);
    EXPECT_SAME_BYTES(driver, CUipcMemHandle);
#if CUDA_VERSION >= 13020  // earlier headers lack some of its members, so there is no conversion
    EXPECT_SAME_BYTES(driver, CUlaunchAttributeValue);
#endif
    EXPECT_SAME_BYTES(runtime, cudaDeviceProp);
    EXPECT_SAME_BYTES(runtime, cudaTextureDesc);
}

TEST(VendorRoundTripTest, CopiesFieldsByName) {
    driver::CUDA_ARRAY_DESCRIPTOR ours{};
    ours.Width = 3;
    ours.Height = 5;
    ours.Format = driver::CU_AD_FORMAT_FLOAT;
    ours.NumChannels = 4;
    const ::CUDA_ARRAY_DESCRIPTOR vendor = driver::to_vendor(ours);
    EXPECT_EQ(vendor.Width, 3u);
    EXPECT_EQ(vendor.Height, 5u);
    EXPECT_EQ(vendor.Format, ::CU_AD_FORMAT_FLOAT);
    EXPECT_EQ(vendor.NumChannels, 4u);

    ::cudaExtent extent{};
    extent.depth = 9;
    EXPECT_EQ(runtime::from_vendor(extent).depth, 9u);
}

TEST(VendorRoundTripTest, PreservesAValueThatNoEnumeratorHas) {
    const auto unknown = static_cast<driver::CUresult>(123456);
    EXPECT_EQ(driver::from_vendor(driver::to_vendor(unknown)), unknown);
}

}  // namespace
}  // namespace cubind::testing

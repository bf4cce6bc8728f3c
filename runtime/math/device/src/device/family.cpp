// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "device/family.hpp"

#include <cubind/mathdx/fft.hpp>
#include <cubind/mathdx/gemm.hpp>
#include <cubind/mathdx/random.hpp>
#include <cubind/mathdx/solver.hpp>

namespace CUBIND_NAMESPACE::math::device::detail {

using namespace mathdx;

namespace {

// A library that lacks the function returns null.
const char* text_of(const char* name) noexcept {
    return name == nullptr ? "an operator" : name;
}

}  // namespace

const Family fft_family{
    .name = "fft",
    .create = cufftdxCreateDescriptor,
    .destroy = cufftdxDestroyDescriptor,
    .name_symbol = cufftdxSetOptionStr,
    .set =
        [](Handle handle, int number, long long value) noexcept {
            return cufftdxSetOperatorInt64(handle, static_cast<cufftdxOperatorType>(number), value);
        },
    .set_array =
        [](Handle handle, int number, std::size_t count, const long long* values) noexcept {
            return cufftdxSetOperatorInt64s(handle, static_cast<cufftdxOperatorType>(number), count, values);
        },
    .trait = [](Handle handle,
                int number) noexcept { return cufftdxGetTraitInt64(handle, static_cast<cufftdxTraitType>(number)); },
    .traits =
        [](Handle handle, int number, std::size_t count, long long* values) noexcept {
            return cufftdxGetTraitInt64s(handle, static_cast<cufftdxTraitType>(number), count, values);
        },
    .finalize = cufftdxFinalizeCode,
    .operator_name =
        [](int number) noexcept { return text_of(cufftdxOperatorTypeToStr(static_cast<cufftdxOperatorType>(number))); },
    .fat_binary_size = nullptr,
    .fat_binary = nullptr,
};

const Family gemm_family{
    .name = "gemm",
    .create = cublasdxCreateDescriptor,
    .destroy = cublasdxDestroyDescriptor,
    .name_symbol = cublasdxSetOptionStr,
    .set =
        [](Handle handle, int number, long long value) noexcept {
            return cublasdxSetOperatorInt64(handle, static_cast<cublasdxOperatorType>(number), value);
        },
    .set_array =
        [](Handle handle, int number, std::size_t count, const long long* values) noexcept {
            return cublasdxSetOperatorInt64s(handle, static_cast<cublasdxOperatorType>(number), count, values);
        },
    .trait = [](Handle handle,
                int number) noexcept { return cublasdxGetTraitInt64(handle, static_cast<cublasdxTraitType>(number)); },
    .traits =
        [](Handle handle, int number, std::size_t count, long long* values) noexcept {
            return cublasdxGetTraitInt64s(handle, static_cast<cublasdxTraitType>(number), count, values);
        },
    .finalize = cublasdxFinalizeCode,
    .operator_name =
        [](int number) noexcept { return text_of(cublasdxOperatorTypeToStr(static_cast<cublasdxOperatorType>(number))); },
    .fat_binary_size = nullptr,
    .fat_binary = nullptr,
};

const Family solver_family{
    .name = "solver",
    .create = cusolverdxCreateDescriptor,
    .destroy = cusolverdxDestroyDescriptor,
    .name_symbol = cusolverdxSetOptionStr,
    .set =
        [](Handle handle, int number, long long value) noexcept {
            return cusolverdxSetOperatorInt64(handle, static_cast<cusolverdxOperatorType>(number), value);
        },
    .set_array =
        [](Handle handle, int number, std::size_t count, const long long* values) noexcept {
            return cusolverdxSetOperatorInt64s(handle, static_cast<cusolverdxOperatorType>(number), count, values);
        },
    .trait = [](Handle handle,
                int number) noexcept { return cusolverdxGetTraitInt64(handle, static_cast<cusolverdxTraitType>(number)); },
    .traits =
        [](Handle handle, int number, std::size_t count, long long* values) noexcept {
            return cusolverdxGetTraitInt64s(handle, static_cast<cusolverdxTraitType>(number), count, values);
        },
    .finalize = cusolverdxFinalizeCode,
    .operator_name =
        [](int number) noexcept { return text_of(cusolverdxOperatorTypeToStr(static_cast<cusolverdxOperatorType>(number))); },
    .fat_binary_size = cusolverdxGetUniversalFATBINSize,
    .fat_binary = cusolverdxGetUniversalFATBIN,
};

const Family random_family{
    .name = "random",
    .create = curanddxCreateDescriptor,
    .destroy = curanddxDestroyDescriptor,
    .name_symbol = nullptr,
    .set =
        [](Handle handle, int number, long long value) noexcept {
            return curanddxSetOperatorInt64(handle, static_cast<curanddxOperatorType>(number), value);
        },
    .set_array = nullptr,
    .trait = [](Handle handle,
                int number) noexcept { return curanddxGetTraitInt64(handle, static_cast<curanddxTraitType>(number)); },
    .traits = nullptr,
    .finalize = curanddxFinalizeCode,
    .operator_name =
        [](int number) noexcept { return text_of(curanddxOperatorTypeToStr(static_cast<curanddxOperatorType>(number))); },
    .fat_binary_size = nullptr,
    .fat_binary = nullptr,
};

}  // namespace CUBIND_NAMESPACE::math::device::detail

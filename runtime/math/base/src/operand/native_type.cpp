// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "operand/native_type.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::math::detail {
namespace {

using namespace runtime;
using cubind::detail::throw_misuse;

struct Pair {
    DataTypeKind kind;
    unsigned int bits;
    cudaDataType native;
};

constexpr Pair pairs[] = {
    {DataTypeKind::floating_point, 16, CUDA_R_16F},   {DataTypeKind::floating_point, 32, CUDA_R_32F},
    {DataTypeKind::floating_point, 64, CUDA_R_64F},   {DataTypeKind::bfloat, 16, CUDA_R_16BF},
    {DataTypeKind::complex, 32, CUDA_C_16F},          {DataTypeKind::complex, 64, CUDA_C_32F},
    {DataTypeKind::complex, 128, CUDA_C_64F},         {DataTypeKind::signed_integer, 8, CUDA_R_8I},
    {DataTypeKind::signed_integer, 16, CUDA_R_16I},   {DataTypeKind::signed_integer, 32, CUDA_R_32I},
    {DataTypeKind::signed_integer, 64, CUDA_R_64I},   {DataTypeKind::unsigned_integer, 8, CUDA_R_8U},
    {DataTypeKind::unsigned_integer, 16, CUDA_R_16U}, {DataTypeKind::unsigned_integer, 32, CUDA_R_32U},
    {DataTypeKind::unsigned_integer, 64, CUDA_R_64U}, {DataTypeKind::float8_e4m3fn, 8, CUDA_R_8F_E4M3},
    {DataTypeKind::float8_e5m2, 8, CUDA_R_8F_E5M2},   {DataTypeKind::float8_e8m0fnu, 8, CUDA_R_8F_UE8M0},
    {DataTypeKind::float6_e2m3fn, 6, CUDA_R_6F_E2M3}, {DataTypeKind::float6_e3m2fn, 6, CUDA_R_6F_E3M2},
    {DataTypeKind::float4_e2m1fn, 4, CUDA_R_4F_E2M1},
};

// Rounds to the nearest half, to the even one of two. It does so from double at once: a float in between would round twice.
std::uint16_t half_of(double value) {
    const unsigned int sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::fabs(value);
    if (std::isnan(magnitude)) return static_cast<std::uint16_t>(sign | 0x7e00);
    if (magnitude >= 65520) return static_cast<std::uint16_t>(sign | 0x7c00);
    if (magnitude == 0) return static_cast<std::uint16_t>(sign);
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    const int unit = std::max(exponent - 11, -24);  // the exponent of the last place
    const auto units = static_cast<unsigned int>(std::nearbyint(std::ldexp(magnitude, -unit)));
    // The leading bit of a number that is not subnormal adds 1 to the exponent, and so does a carry of the rounding.
    return static_cast<std::uint16_t>(sign | ((static_cast<unsigned int>(unit + 24) << 10) + units));
}

}  // namespace

std::optional<cudaDataType> find_native_type(DataType type) noexcept {
    for (const Pair& each : pairs) {
        if (each.kind == type.kind && each.bits == type.bits) return each.native;
    }
    return std::nullopt;
}

cudaDataType native_type(const char* operation, const char* name, DataType type) {
    if (const auto native = find_native_type(type)) return *native;
    throw_misuse(operation, ": ", name, " has elements of type ", to_string(type),
                 ", which no library of mathematics computes with");
}

NativeScalar::NativeScalar(const char* operation, const char* name, Scalar scalar, cudaDataType type) {
    const std::complex<double> value = scalar.value();
    const auto store = [&](const auto& number) { std::memcpy(bytes_, &number, sizeof number); };
    const bool is_complex = type == CUDA_C_32F || type == CUDA_C_64F;
    if (!is_complex && value.imag() != 0) {
        throw_misuse(operation, ": ", name, " has the imaginary part ", value.imag(),
                     ", but the operation computes with real numbers");
    }
    switch (type) {
        case CUDA_R_16F:
            store(half_of(value.real()));
            break;
        case CUDA_R_32F:
            store(static_cast<float>(value.real()));
            break;
        case CUDA_R_64F:
            store(value.real());
            break;
        case CUDA_C_32F:
            store(std::complex<float>(value));
            break;
        case CUDA_C_64F:
            store(value);
            break;
        case CUDA_R_32I: {
            using Limits = std::numeric_limits<std::int32_t>;
            if (!(value.real() >= Limits::min() && value.real() <= Limits::max()) || value.real() != std::trunc(value.real()))
                throw_misuse(operation, ": ", name, " is ", value.real(),
                             ", but the operation computes with integers of 32 bits");
            store(static_cast<std::int32_t>(value.real()));
            break;
        }
        default:
            throw_misuse(operation, ": ", name, " cannot be converted to the cudaDataType ", static_cast<unsigned int>(type));
    }
}

}  // namespace CUBIND_NAMESPACE::math::detail

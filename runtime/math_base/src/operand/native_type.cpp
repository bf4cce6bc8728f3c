// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "operand/native_type.hpp"

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

// Rounds to the nearest half, to the even one of two.
std::uint16_t half_of(float value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
    const std::uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return sign | 0x7e00;   // NaN
    if (magnitude >= 0x477ff000) return sign | 0x7c00;  // 65520 and more
    if (magnitude < 0x33000001) return sign;            // up to 2^-25
    std::uint32_t exponent = magnitude >> 23;
    std::uint32_t mantissa = (magnitude & 0x7fffff) | 0x800000;
    const std::uint32_t shift = exponent < 113 ? 126 - exponent : 13;
    const std::uint32_t rest = mantissa & ((1u << shift) - 1);
    std::uint32_t result = mantissa >> shift;
    if (exponent >= 113) result += (exponent - 113) << 10;
    const std::uint32_t middle = 1u << (shift - 1);
    if (rest > middle || (rest == middle && (result & 1) != 0)) ++result;
    return static_cast<std::uint16_t>(sign | result);
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
            store(half_of(static_cast<float>(value.real())));
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
            constexpr std::int32_t highest = std::numeric_limits<std::int32_t>::max();
            if (value.real() != static_cast<double>(static_cast<std::int32_t>(
                                    std::min<double>(std::max<double>(value.real(), -highest), highest))))
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

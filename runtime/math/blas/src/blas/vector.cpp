// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/context.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/cublas/helpers.hpp>
#include <cubind/cublas/level_1.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/math/vector.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>

#include "blas/cublas_handle.hpp"
#include "blas/cublas_status.hpp"
#include "calls/driver.hpp"
#include "operand/checks.hpp"
#include "operand/native_type.hpp"
#include "plan/workspace.hpp"

namespace CUBIND_NAMESPACE::math {
namespace {

using namespace cublas;
using namespace detail;
using cubind::detail::StreamAccess;
using runtime::cudaDataType;
using enum runtime::cudaDataType;

/// The types that cuBLAS has for vectors of a type.
struct VectorTypes {
    cudaDataType element;
    cudaDataType execution;  // in which it computes, and has alpha
    cudaDataType norm;
};

VectorTypes types_of(const char* operation, const Operand& x) {
    const cudaDataType type = native_type(operation, "x", x.dtype());
    switch (type) {
        case CUDA_R_16F:
        case CUDA_R_16BF:
            return {type, CUDA_R_32F, type};
        case CUDA_R_32F:
        case CUDA_R_64F:
            return {type, type, type};
        case CUDA_C_32F:
            return {type, type, CUDA_R_32F};
        case CUDA_C_64F:
            return {type, type, CUDA_R_64F};
        default:
            throw_misuse(operation, ": x has elements of type ", to_string(x.dtype()),
                         ", but cuBLAS has vectors of float16, bfloat16, float32, float64, complex64 and complex128");
    }
}

void check_vector(const char* operation, const char* name, const Operand& vector) {
    check_rank(operation, name, vector, 1, 1);
    if (vector.extent(0) > 1 && vector.strides()[0] <= 0)
        throw_misuse(operation, ": ", describe(name, vector), ", but the stride must be positive");
}

std::int64_t stride_of(const Operand& vector) {
    return vector.extent(0) > 1 ? vector.strides()[0] : 1;
}

/// A call for a stream, whose context it makes current.
class VectorCall {
public:
    VectorCall(const char* operation, StreamRef stream, std::initializer_list<NamedOperand> operands)
        : operation_(operation), stream_(stream), context_(stream.context()), scope_(context_) {
        for (const NamedOperand& each : operands) {
            if (std::string_view(each.name) != "result") check_vector(operation, each.name, *each.operand);
        }
        check_operands(operation, context_.device(), operands);
        retain_for_capture(stream, operands);
    }

    /// Calls cuBLAS with a handle for this stream, which has scalars in memory of the host or of the device.
    template <class Call>
    void run(cublasPointerMode_t mode, const Call& call) const {
        const PooledHandle<CublasLibrary> handle(context_.native_handle(), StreamAccess::handle(stream_));
        const auto what = [&] { return concat("The operation is cubind::math::", operation_, "."); };
        checked(cublasSetPointerMode_v2(handle.get(), mode), what);
        checked(call(handle.get()), what);
    }

    void check_may_wait() const {
        if (is_captured(stream_))
            throw_misuse(operation_,
                         ": the stream is captured into a graph, in which nothing can wait: use the form with an output");
    }

    void clear(const Output& result) const {
        cubind::detail::check_latest(driver::cuMemsetD8Async(reinterpret_cast<driver::CUdeviceptr>(result.data()), 0,
                                                             result.dtype().size(), StreamAccess::handle(stream_)));
    }

private:
    const char* operation_;
    StreamRef stream_;
    ContextRef context_;
    ScopedContext scope_;
};

void check_result(const char* operation, const Output& result, DataType type) {
    check_type(operation, "result", result, type);
    if (result.size() != 1) throw_misuse(operation, ": ", describe("result", result), ", but it must have one element");
}

void check_same(const char* operation, const Operand& x, const Operand& y) {
    check_type(operation, "y", y, x.dtype());
    check_shape(operation, "y", y, x.shape());
}

auto dot_of(cublasHandle_t handle, bool is_conjugated, const Operand& x, const Operand& y, const VectorTypes& types,
            void* result) {
    const bool is_complex = types.norm != types.element;
    return (is_conjugated && is_complex ? cublasDotcEx_64 : cublasDotEx_64)(handle, x.extent(0), x.data(), types.element,
                                                                            stride_of(x), y.data(), types.element, stride_of(y),
                                                                            result, types.element, types.execution);
}

void submit_dot(const char* operation, bool is_conjugated, StreamRef stream, const Operand& x, const Operand& y,
                const Output& result) {
    const VectorTypes types = types_of(operation, x);
    const VectorCall call(operation, stream, {{"x", &x}, {"y", &y}, {"result", &result, true}});
    check_same(operation, x, y);
    check_result(operation, result, x.dtype());
    if (x.extent(0) == 0) return call.clear(result);
    call.run(CUBLAS_POINTER_MODE_DEVICE,
             [&](cublasHandle_t handle) { return dot_of(handle, is_conjugated, x, y, types, result.data()); });
}

double real_of_half(std::uint16_t bits) {
    const int exponent = bits >> 10 & 0x1f;
    const double mantissa = bits & 0x3ff;
    const double magnitude = exponent == 0x1f ? (mantissa == 0 ? HUGE_VAL : std::nan(""))
                             : exponent == 0  ? std::ldexp(mantissa, -24)
                                              : std::ldexp(mantissa + 1024, exponent - 25);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// A number that cuBLAS writes to memory of the host.
struct HostNumber {
    alignas(16) std::byte bytes[16] = {};

    template <class Number>
    Number as() const {
        Number number;
        std::memcpy(&number, bytes, sizeof number);
        return number;
    }
    std::complex<double> value(cudaDataType type) const {
        switch (type) {
            case CUDA_R_16F:
                return real_of_half(as<std::uint16_t>());
            case CUDA_R_16BF: {
                HostNumber wide;  // a bfloat16 is the upper half of a float
                const std::uint32_t bits = std::uint32_t{as<std::uint16_t>()} << 16;
                std::memcpy(wide.bytes, &bits, sizeof bits);
                return wide.as<float>();
            }
            case CUDA_R_32F:
                return as<float>();
            case CUDA_R_64F:
                return as<double>();
            case CUDA_C_32F:
                return std::complex<double>(as<std::complex<float>>());
            default:
                return as<std::complex<double>>();
        }
    }
};

std::complex<double> wait_for_dot(const char* operation, bool is_conjugated, StreamRef stream, const Operand& x,
                                  const Operand& y) {
    const VectorTypes types = types_of(operation, x);
    const VectorCall call(operation, stream, {{"x", &x}, {"y", &y}});
    check_same(operation, x, y);
    call.check_may_wait();
    if (x.extent(0) == 0) return 0;
    HostNumber result;
    call.run(CUBLAS_POINTER_MODE_HOST,
             [&](cublasHandle_t handle) { return dot_of(handle, is_conjugated, x, y, types, result.bytes); });
    return result.value(types.element);
}

DataType norm_type(DataType type) {
    return type.kind == DataTypeKind::complex
               ? DataType{DataTypeKind::floating_point, static_cast<std::uint8_t>(type.bits / 2), 1}
               : type;
}

auto norm_of(cublasHandle_t handle, const Operand& x, const VectorTypes& types, void* result) {
    const cudaDataType execution = types.norm == types.element ? types.execution : types.norm;
    return cublasNrm2Ex_64(handle, x.extent(0), x.data(), types.element, stride_of(x), result, types.norm, execution);
}

}  // namespace

void dot(StreamRef stream, const Operand& x, const Operand& y, const Output& result) {
    submit_dot("dot", false, stream, x, y, result);
}

void vdot(StreamRef stream, const Operand& x, const Operand& y, const Output& result) {
    submit_dot("vdot", true, stream, x, y, result);
}

std::complex<double> dot_to_host(StreamRef stream, const Operand& x, const Operand& y) {
    return wait_for_dot("dot_to_host", false, stream, x, y);
}

std::complex<double> vdot_to_host(StreamRef stream, const Operand& x, const Operand& y) {
    return wait_for_dot("vdot_to_host", true, stream, x, y);
}

void nrm2(StreamRef stream, const Operand& x, const Output& result) {
    const VectorTypes types = types_of("nrm2", x);
    const VectorCall call("nrm2", stream, {{"x", &x}, {"result", &result, true}});
    check_result("nrm2", result, norm_type(x.dtype()));
    if (x.extent(0) == 0) return call.clear(result);
    call.run(CUBLAS_POINTER_MODE_DEVICE, [&](cublasHandle_t handle) { return norm_of(handle, x, types, result.data()); });
}

double nrm2_to_host(StreamRef stream, const Operand& x) {
    const VectorTypes types = types_of("nrm2_to_host", x);
    const VectorCall call("nrm2_to_host", stream, {{"x", &x}});
    call.check_may_wait();
    if (x.extent(0) == 0) return 0;
    HostNumber result;
    call.run(CUBLAS_POINTER_MODE_HOST, [&](cublasHandle_t handle) { return norm_of(handle, x, types, result.bytes); });
    return result.value(types.norm).real();
}

void axpy(StreamRef stream, Scalar alpha, const Operand& x, const Output& y) {
    const VectorTypes types = types_of("axpy", x);
    const NativeScalar factor("axpy", "alpha", alpha, types.execution);
    const VectorCall call("axpy", stream, {{"x", &x}, {"y", &y, true}});
    check_same("axpy", x, y);
    if (x.extent(0) == 0) return;
    call.run(CUBLAS_POINTER_MODE_HOST, [&](cublasHandle_t handle) {
        return cublasAxpyEx_64(handle, x.extent(0), factor.data(), types.execution, x.data(), types.element, stride_of(x),
                               y.data(), types.element, stride_of(y), types.execution);
    });
}

void scal(StreamRef stream, Scalar alpha, const Output& x) {
    const VectorTypes types = types_of("scal", x);
    const NativeScalar factor("scal", "alpha", alpha, types.execution);
    const VectorCall call("scal", stream, {{"x", &x, true}});
    if (x.extent(0) == 0) return;
    call.run(CUBLAS_POINTER_MODE_HOST, [&](cublasHandle_t handle) {
        return cublasScalEx_64(handle, x.extent(0), factor.data(), types.execution, x.data(), types.element, stride_of(x),
                               types.execution);
    });
}

}  // namespace CUBIND_NAMESPACE::math

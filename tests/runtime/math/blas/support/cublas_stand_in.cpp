// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cublas_stand_in.hpp"

#include <cubind/cublas/loading.hpp>
#include <cubind/cublas/types.hpp>
#include <cubind/runtime/types.hpp>
#include <cubind/substitute.hpp>

#include <complex>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "unlimited_memory.hpp"

namespace cubind::testing {
namespace {

using Type = runtime::cudaDataType;
using enum runtime::cudaDataType;

CublasStandIn& state() {
    static CublasStandIn instance;
    return instance;
}

struct Handle {
    int mode = 0;
};

int create(void** handle) {
    if (const int status = state().status_of_create != 0 ? state().status_of_create : std::exchange(state().next_status, 0))
        return status;
    *handle = new Handle;
    ++state().handles;
    state().calls.emplace_back("cublasCreate");
    return 0;
}

int destroy(void* handle) {
    delete static_cast<Handle*>(handle);
    --state().handles;
    return 0;
}

int set_stream(void* handle, void* stream) {
    state().streams[handle] = stream;
    return state().status_of_stream;
}

int set_mode(void* handle, int mode) {
    static_cast<Handle*>(handle)->mode = mode;
    return 0;
}

template <class... Parts>
int record(void* handle, const char* name, std::vector<const void*> addresses, const Parts&... parts) {
    std::string text = name;
    const auto add = [&](const auto& part) {
        if constexpr (std::is_convertible_v<decltype(part), std::string_view>) {
            text += part;
        } else {
            text += std::to_string(part);
        }
    };
    (add(parts), ...);
    state().calls.push_back(
        text + (static_cast<Handle*>(handle)->mode == cublas::CUBLAS_POINTER_MODE_DEVICE ? " mode=device" : " mode=host"));
    state().addresses = std::move(addresses);
    return std::exchange(state().next_status, 0);
}

void write_result(void* handle, void* result) {
    if (static_cast<Handle*>(handle)->mode == cublas::CUBLAS_POINTER_MODE_HOST)
        std::memcpy(result, state().result.data(), state().result.size());
}

std::complex<double> factor(const void* alpha, Type type) {
    const auto read = [&]<class Number>(Number number) {
        std::memcpy(&number, alpha, sizeof number);
        return std::complex<double>(number);
    };
    return type == CUDA_R_32F   ? read(0.0f)
           : type == CUDA_R_64F ? read(0.0)
           : type == CUDA_C_32F ? read(std::complex<float>())
                                : read(std::complex<double>());
}

template <bool is_conjugated>
int dot(void* handle, std::int64_t n, const void* x, Type x_type, std::int64_t incx, const void* y, Type y_type,
        std::int64_t incy, void* result, Type result_type, Type execution) {
    write_result(handle, result);
    return record(handle, is_conjugated ? "cublasDotcEx_64" : "cublasDotEx_64", {x, y, result}, " n=", n, " x=", x_type,
                  " incx=", incx, " y=", y_type, " incy=", incy, " result=", result_type, " execution=", execution);
}

int nrm2(void* handle, std::int64_t n, const void* x, Type x_type, std::int64_t incx, void* result, Type result_type,
         Type execution) {
    write_result(handle, result);
    return record(handle, "cublasNrm2Ex_64", {x, result}, " n=", n, " x=", x_type, " incx=", incx, " result=", result_type,
                  " execution=", execution);
}

int axpy(void* handle, std::int64_t n, const void* alpha, Type alpha_type, const void* x, Type x_type, std::int64_t incx, void* y,
         Type y_type, std::int64_t incy, Type execution) {
    state().alpha = factor(alpha, alpha_type);
    return record(handle, "cublasAxpyEx_64", {x, y}, " n=", n, " alpha=", alpha_type, " x=", x_type, " incx=", incx,
                  " y=", y_type, " incy=", incy, " execution=", execution);
}

int scal(void* handle, std::int64_t n, const void* alpha, Type alpha_type, void* x, Type x_type, std::int64_t incx,
         Type execution) {
    state().alpha = factor(alpha, alpha_type);
    return record(handle, "cublasScalEx_64", {x}, " n=", n, " alpha=", alpha_type, " x=", x_type, " incx=", incx,
                  " execution=", execution);
}

int property(int which, int* value) {
    *value = which == 0 ? 13 : 1;
    return 0;
}

void* find(const char* symbol) noexcept {
    const UnlimitedMemory memory;
    static const std::map<std::string_view, void*> all = {
        {"cublasCreate_v2", with_unlimited_memory<create>()},
        {"cublasDestroy_v2", with_unlimited_memory<destroy>()},
        {"cublasSetStream_v2", with_unlimited_memory<set_stream>()},
        {"cublasSetPointerMode_v2", with_unlimited_memory<set_mode>()},
        {"cublasDotEx_64", with_unlimited_memory<dot<false>>()},
        {"cublasDotcEx_64", with_unlimited_memory<dot<true>>()},
        {"cublasNrm2Ex_64", with_unlimited_memory<nrm2>()},
        {"cublasAxpyEx_64", with_unlimited_memory<axpy>()},
        {"cublasScalEx_64", with_unlimited_memory<scal>()},
        {"cublasGetProperty", with_unlimited_memory<property>()},
    };
    const auto found = all.find(symbol);
    return found == all.end() ? nullptr : found->second;
}

constexpr Substitute stand_in{.path = "a stand-in", .found_via = "a test", .find = find};

}  // namespace

CublasStandIn& cublas_stand_in() {
    return state();
}

ScopedCublasStandIn::ScopedCublasStandIn() {
    const UnlimitedMemory memory;
    state() = {};
    substitute(cublas::library(), cublas::all_entry_points(), &stand_in);
}

ScopedCublasStandIn::~ScopedCublasStandIn() {
    const UnlimitedMemory memory;
    substitute(cublas::library(), cublas::all_entry_points(), nullptr);
}

}  // namespace cubind::testing
